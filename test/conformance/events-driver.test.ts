/** `trellis conformance events --client`: our events client, and broken ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkEventsDriver,
  createFunctionDriver,
  EVENTS_DRIVER_CASES,
  reportToText,
  type EventsTask,
} from "../../conformance/index.ts";
import { EVENTS_CLIENT_BREAKS } from "./breaks/events-clients.ts";
import { runEvents } from "./drivers/events.ts";
import { PATIENCE_CASES } from "./patience-cases.ts";
import { testDriver } from "./test-driver.ts";

testDriver({
  check: checkEventsDriver,
  cases: EVENTS_DRIVER_CASES,
  elsewhere: PATIENCE_CASES,
  run: runEvents,
  breaks: EVENTS_CLIENT_BREAKS,
});

test("a client that asks for no extras is compatible, and nothing of it is left untested", async () => {
  const only = ["refused-extra-is-followed-by-a-plain-request", "refused-token-is-not-asked-again"];
  const driver = createFunctionDriver("plain", ({ state, ...task }: EventsTask) =>
    runEvents({ ...task, state: state === null ? null : { ...state, extras: [] } }),
  );
  const report = await checkEventsDriver(driver, { only });
  assert.match(reportToText(report), /, 0 failed, 0 skipped: compatible$/);
});
