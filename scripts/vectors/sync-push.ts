/** Pushes against what the server has: repetitions, operation ids that were used before, and the clock. */
import { MAX_CLOCK_STEP, MAX_FIRST_SEQUENCE } from "../../src/contract/sync/operation-limits.ts";
import { EMPTY_LOG_CLOCK } from "../../src/rules/sync/log-clock.ts";
import { planAppend } from "../../src/sync/log/plan-append.ts";
import { readNewOperation } from "../../src/sync/log/read-push.ts";
import { createOperation } from "../../test/fixtures/sync-operation.ts";
import type { VectorSource } from "./vector-file.ts";

interface PushInput {
  /** The operations that the server has, in the order of the log. */
  readonly stored: readonly string[];
  readonly push: readonly string[];
}

export function createPushVectors(): VectorSource<PushInput> {
  return {
    name: "sync-push",
    description:
      "A push of valid operations against the log of a server: docs/protocol/sync.md, Operations and Refused operations. `input.stored` is what the server has stored, in order, in an account that had nothing before; `input.push` is what is sent. `expected` is stored with a receipt for each, or refused with an index and code for each refused one.",
    inputs: PUSH_INPUTS,
    expect: ({ stored, push }) => append(stored, push),
    codes: ["stored", "sequence_jump", "id_reused"],
  };
}

function append(stored: readonly string[], push: readonly string[]): object {
  const place = { headOffset: 0, clock: EMPTY_LOG_CLOCK, mark: "AAAAAAAAAAA" };
  const before = planAppend(stored.map(readNewOperation), new Map(), new Map(), place);
  if (before.kind !== "plan") throw new Error(`The stored operations are refused: ${before.kind}`);
  const { added, states, headOffset, clock } = before;
  const ledger = new Map(added.map((operation) => [operation.operationId, operation]));
  const plan = planAppend(push.map(readNewOperation), ledger, new Map(states), {
    ...place,
    headOffset,
    clock,
  });
  if (plan.kind !== "plan") {
    if (!("indexes" in plan)) throw new Error(`The push is refused as a whole: ${plan.kind}`);
    const code = CODES[plan.kind];
    return { kind: "refused", refused: plan.indexes.map((index) => ({ index, code })) };
  }
  const receipts = plan.receipts.map(({ offset, duplicate, changed }) => ({
    offset,
    duplicate,
    changed,
  }));
  return { kind: "stored", receipts };
}

const CODES = {
  conflict: "id_reused",
  "sequence-jump": "sequence_jump",
  "under-unknown-key": "key_unknown",
};

function note(sequence: number, payload: Readonly<Record<string, unknown>> = { text: "" }): string {
  return JSON.stringify(createOperation({ sequence, entityId: "note/1", payload }));
}

const two = note(2, { text: "Milk", at: 1 });

const PUSH_INPUTS: Record<string, PushInput> = {
  "new operations": { stored: [note(1)], push: [note(2), note(3)] },
  "an operation that changes nothing": { stored: [note(3)], push: [note(2)] },
  "an operation again": { stored: [note(1), two], push: [two] },
  "an operation twice in one push": { stored: [], push: [two, two] },
  "an operation again in another spelling": {
    stored: [two],
    push: [
      two
        .replace('["text","at"]', '["at", "text"]')
        .replace('"at":1', '"at":10e-1')
        .replace('"Milk"', '"\\u004dilk"'),
    ],
  },
  "an operation id with other content": { stored: [two], push: [note(3), note(2)] },
  "an operation id with a number that a double takes for the same": {
    stored: [two.replace('"at":1', '"at":9007199254740992')],
    push: [two.replace('"at":1', '"at":9007199254740993')],
  },
  "an operation id for two contents in one push": { stored: [], push: [two, note(2)] },
  "the greatest first sequence": { stored: [], push: [note(MAX_FIRST_SEQUENCE)] },
  "a first sequence beyond it": { stored: [], push: [note(MAX_FIRST_SEQUENCE + 1)] },
  "the greatest step": { stored: [note(1)], push: [note(1 + MAX_CLOCK_STEP)] },
  "a step beyond it": { stored: [note(1)], push: [note(2 + MAX_CLOCK_STEP)] },
  "steps within one push": {
    stored: [note(1)],
    push: [note(1 + MAX_CLOCK_STEP), note(1 + 2 * MAX_CLOCK_STEP)],
  },
  "a jump and its follower": {
    stored: [note(1)],
    push: [note(2), note(3 + MAX_CLOCK_STEP), note(4)],
  },
  "a repetition is no jump": {
    stored: [note(MAX_FIRST_SEQUENCE)],
    push: [note(MAX_FIRST_SEQUENCE)],
  },
};
