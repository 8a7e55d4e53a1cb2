import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityRecords } from "./identity-records.ts";
import type { SecurityEvent } from "./security-event.ts";
import { createSecurityLog } from "./security-log.ts";

/** A store that runs the work `runs` times, as one does after a conflict. */
function createLog(runs: number, onEvent?: (event: SecurityEvent) => void) {
  let counted: string[] = [];
  const reported: SecurityEvent[] = [];
  const identity = {
    countSecurityEvent: async (kind: string, at: number) => void counted.push(`${kind} ${at}`),
  } as Partial<IdentityRecords> as IdentityRecords;
  const log = createSecurityLog({
    store: {
      async transaction(work) {
        for (let run = 1; run < runs; run++) {
          await work({ identity });
          counted = [];
        }
        const result = await work({ identity });
        assert.deepEqual(reported, [], "reported before the commit");
        return result;
      },
    },
    onEvent: onEvent ?? ((event) => reported.push(event)),
    now: () => 7,
  });
  return { log, reported, counted: () => counted };
}

for (const runs of [1, 3]) {
  test(`work that runs ${runs} times counts and reports an event once`, async () => {
    const { log, reported, counted } = createLog(runs);
    const result = await log.transaction(async (_records, note) => {
      await note("code-replay", "203.0.113.77");
      return "done";
    });
    assert.equal(result, "done");
    assert.deepEqual(counted(), ["code-replay 7"]);
    assert.deepEqual(reported, [{ kind: "code-replay", network: "203.0.113.0/24" }]);
  });
}

test("a listener that fails changes no result", async () => {
  const { log } = createLog(1, () => {
    throw new Error("The log is broken");
  });
  const result = await log.transaction(async (_records, note) => {
    await note("new-device", "203.0.113.77");
    return "done";
  });
  assert.equal(result, "done");
});

test("work that fails reports nothing", async () => {
  const { log, reported } = createLog(1);
  const failing = log.transaction(async (_records, note) => {
    await note("new-device", "203.0.113.77");
    throw new Error("no");
  });
  await assert.rejects(failing, { message: "no" });
  assert.deepEqual(reported, []);
});
