import assert from "node:assert/strict";
import { test } from "node:test";
import type { Terminal } from "./command.ts";
import { clearProgress, showByteProgress, showCount, showProgress } from "./progress.ts";

const CLEAR = "\r\u001B[K";
const bar = (filled: number) => "█".repeat(filled) + "░".repeat(30 - filled);

function createScreen(isTTY: boolean, isJson = false, columns = 120) {
  const written: string[] = [];
  const stderr = { isTTY, columns, write: (text: string) => written.push(text) };
  const clock = { now: 0 };
  return {
    written,
    clock,
    now: () => clock.now,
    context: { isJson, terminal: { stderr } as unknown as Terminal },
  };
}

test("a progress bar grows with amount and time left, and disappears at the end", () => {
  const { written, clock, now, context } = createScreen(true);
  const show = showProgress(context, "Importing", now);
  for (const [time, done] of [
    [0, 0],
    [2000, 500],
    [4000, 1000],
  ] as const) {
    clock.now = time;
    show?.(done, 1000);
  }
  assert.deepEqual(written, [
    `${CLEAR}Importing ${bar(0)} 0 %  0 of 1,000`,
    `${CLEAR}Importing ${bar(15)} 50 %  500 of 1,000, 2 s left`,
    CLEAR,
  ]);
});

test("a label quotes a stranger without what a terminal obeys", () => {
  const { written, now, context } = createScreen(true);
  showProgress(context, "Importing \u001b]0;x\u0007\n", now)?.(0, 1000);
  showCount(context, "Reading \u001b]0;x\u0007\n")?.(1);
  assert.deepEqual(written, [
    `${CLEAR}Importing \\u001b]0;x\\u0007\\u000a ${bar(0)} 0 %  0 of 1,000`,
    `${CLEAR}Reading \\u001b]0;x\\u0007\\u000a 1`,
  ]);
});

test("bytes are shown in units for people", () => {
  const { written, clock, now, context } = createScreen(true);
  const show = showByteProgress(context, "Uploading", now);
  clock.now = 60_000;
  show?.(1.5 * 1024 ** 3, 6 * 1024 ** 3);
  assert.deepEqual(written, [
    `${CLEAR}Uploading ${bar(7)} 25 %  1.5 GiB of 6.0 GiB, 3 min 0 s left`,
  ]);
});

test("the time left is not guessed from the first moments", () => {
  const { written, clock, now, context } = createScreen(true);
  const show = showByteProgress(context, "Hashing", now);
  clock.now = 999;
  show?.(10, 100);
  assert.doesNotMatch(written.join(""), /left/);
});

test("many small steps are drawn at most ten times a second", () => {
  const { written, clock, now, context } = createScreen(true);
  const show = showByteProgress(context, "Hashing", now);
  for (let done = 0; done < 1000; done++) {
    clock.now = done;
    show?.(done, 1000);
  }
  assert.equal(written.length, 10);
});

test("on a narrow terminal the bar gives way, and then the label", () => {
  for (const [columns, expected] of [
    [40, "Importing 0 %  3 of 1,000"],
    [20, "0 %  3 of 1,000"],
    [8, "0 %  3 "],
  ] as const) {
    const { written, now, context } = createScreen(true, false, columns);
    showProgress(context, "Importing", now)?.(3, 1000);
    assert.deepEqual(written, [`${CLEAR}${expected}`]);
  }
});

test("progress of zero steps is complete at once", () => {
  const { written, context } = createScreen(true);
  showProgress(context, "Importing")?.(0, 0);
  assert.deepEqual(written, [CLEAR]);
});

test("a count overwrites the previous one", () => {
  const { written, context } = createScreen(true);
  const show = showCount(context, "Reading");
  show?.(250);
  show?.(12_000);
  clearProgress(context);
  assert.deepEqual(written, [`${CLEAR}Reading 250`, `${CLEAR}Reading 12,000`, CLEAR]);
});

test("no progress is shown without a terminal or under --json", () => {
  for (const { context, written } of [createScreen(false), createScreen(true, true)]) {
    assert.equal(showProgress(context, "Importing"), undefined);
    assert.equal(showByteProgress(context, "Hashing"), undefined);
    assert.equal(showCount(context, "Reading"), undefined);
    clearProgress(context);
    assert.deepEqual(written, []);
  }
});
