import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_SEQUENCE } from "../../contract/sync/operation-limits.ts";
import {
  advanceClock,
  EMPTY_LOG_CLOCK,
  isLastStep,
  isSequenceJump,
  joinClocks,
} from "./log-clock.ts";

const STEP = 2 ** 20;

test("an empty log takes any first sequence up to 2^40", () => {
  assert.equal(isSequenceJump(EMPTY_LOG_CLOCK, 2 ** 40), false);
  assert.equal(isSequenceJump(EMPTY_LOG_CLOCK, 2 ** 40 + 1), true);
});

test("a sequence may be 2^20 above the greatest, and any below it", () => {
  const clock = advanceClock(advanceClock(EMPTY_LOG_CLOCK, 500), 7);
  assert.deepEqual(clock, { greatestSequence: 500, takesAnySequence: false });
  for (const sequence of [1, 500, 501, 500 + STEP]) {
    assert.equal(isSequenceJump(clock, sequence), false, String(sequence));
  }
  assert.equal(isSequenceJump(clock, 500 + STEP + 1), true);
});

test("a log whose clock is beyond any first sequence goes on in steps", () => {
  const clock = { greatestSequence: 2 ** 41, takesAnySequence: true };
  assert.equal(isSequenceJump(clock, 2 ** 41 + STEP), false);
  assert.equal(isSequenceJump(clock, 2 ** 41 + STEP + 1), true);
});

test("joined clocks have the greatest sequence, and take any only when nothing is known", () => {
  const known = { greatestSequence: 7, takesAnySequence: false };
  const restored = { greatestSequence: 9, takesAnySequence: true };
  assert.deepEqual(joinClocks([known, restored]), { ...known, greatestSequence: 9 });
  assert.deepEqual(joinClocks([EMPTY_LOG_CLOCK, restored]), restored);
});

test("the last step is the one behind which none fits", () => {
  assert.equal(isLastStep(MAX_SEQUENCE - STEP), false);
  assert.equal(isLastStep(MAX_SEQUENCE - STEP + 1), true);
});
