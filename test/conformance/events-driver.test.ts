/** `trellis conformance events --client -- DRIVER`: our events client. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkEventsDriver,
  createFunctionDriver,
  createProcessDriver,
  reportToText,
  type EventsTask,
} from "../../conformance/index.ts";
import { EVENTS_DRIVER_CASES } from "../../conformance/events/driver/check-events-driver.ts";
import { runEvents } from "./drivers/events.ts";
import { PATIENCE_CASES } from "./patience-cases.ts";
import { testOwnClient } from "./test-driver.ts";

testOwnClient(
  { check: checkEventsDriver, cases: EVENTS_DRIVER_CASES, run: runEvents },
  PATIENCE_CASES,
);

test("a client that asks for no extras is compatible, and nothing of it is left untested", async () => {
  const only = ["refused-extra-is-followed-by-a-plain-request", "refused-token-is-not-asked-again"];
  const driver = createFunctionDriver("plain", ({ state, ...task }: EventsTask) =>
    runEvents({ ...task, state: state === null ? null : { ...state, extras: [] } }),
  );
  const report = await checkEventsDriver(driver, { only });
  assert.match(reportToText(report), /, 0 failed, 0 skipped: compatible$/);
});

test("a program that takes the day of UTC is caught on every machine", async () => {
  const only = ["moments-fall-on-the-day-of-the-device"];
  const program = [process.execPath, join(import.meta.dirname, "drivers/events.ts")] as const;
  const right = await checkEventsDriver(createProcessDriver(program), { only });
  assert.equal(right.passed, 1, reportToText(right));
  const wrong = await checkEventsDriver(createProcessDriver(["env", "TZ=UTC", ...program]), {
    only,
  });
  assert.equal(wrong.failed, 1, reportToText(wrong));
});
