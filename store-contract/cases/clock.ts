import assert from "node:assert/strict";
import {
  MAX_FIRST_SEQUENCE,
  MAX_SEQUENCE,
  MAX_CLOCK_STEP,
} from "../../src/contract/sync/operation-limits.ts";
import type { SyncStore } from "../../src/sync/store.ts";
import { append, readAll } from "../read-store.ts";
import { NOW, sampleOperation } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const jump = (...indexes: number[]) => ({ kind: "sequence-jump", indexes });

/** Expects the clock of the log to be at a sequence, and moves it by a step. */
async function expectClock({ operations }: SyncStore, sequence: number): Promise<void> {
  const next = sequence + MAX_CLOCK_STEP;
  assert.deepEqual(await operations.append([sampleOperation(next + 1)], NOW), jump(0));
  assert.equal((await operations.append([sampleOperation(next)], NOW)).kind, "stored");
}

export const CLOCK_CASES: StoreCases = {
  "an empty log takes any first sequence up to 2^40, and goes on in steps of 2^20": async ({
    store,
  }) => {
    const { operations } = store;
    const beyond = sampleOperation(MAX_FIRST_SEQUENCE + 1);
    assert.deepEqual(await operations.append([beyond], NOW), jump(0));
    await append(store, [sampleOperation(MAX_FIRST_SEQUENCE), sampleOperation(1)]);
    await expectClock(store, MAX_FIRST_SEQUENCE);
  },
  "a batch with sequence jumps stores nothing, and the result names each of them": async ({
    store,
  }) => {
    await append(store, [sampleOperation(5)]);
    const before = await readAll(store);
    const step = 5 + MAX_CLOCK_STEP;
    const batch = [5, step, step + 1, MAX_SEQUENCE, 6, step + MAX_CLOCK_STEP + 2].map((sequence) =>
      sampleOperation(sequence),
    );
    assert.deepEqual(await store.operations.append(batch, NOW), jump(3, 5));
    assert.deepEqual(await readAll(store), before);
    await expectClock(store, 5);
  },
  "a sequence jump is refused before a conflict is looked for": async ({ store }) => {
    await append(store, [sampleOperation(5)]);
    const reused = sampleOperation(5, { payload: '{"text":"other"}' });
    const result = await store.operations.append([reused, sampleOperation(MAX_SEQUENCE)], NOW);
    assert.deepEqual(result, jump(1));
  },
  "the clock of the log survives a restart": async ({ store, reopen }) => {
    await append(store, [sampleOperation(5)]);
    await expectClock(store, 5);
    const reopened = await reopen();
    await expectClock(reopened, 5 + MAX_CLOCK_STEP);
  },
};

export const SHARED_CLOCK_CASES: StoreCases = {
  "the clock of the log is that of all processes": async ({ store, openBeside }) => {
    const other = await openBeside();
    await append(store, [sampleOperation(5)]);
    await expectClock(other, 5);
    await expectClock(store, 5 + MAX_CLOCK_STEP);
  },
};
