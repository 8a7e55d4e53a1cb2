/** The events client in Python, which was written from the protocol pages alone, passes the kit for clients. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkEventsDriver,
  createProcessDriver,
  isConforming,
  reportToText,
} from "../../conformance/index.ts";
import { EVENTS_DRIVER_CASES } from "../../conformance/events/driver/check-events-driver.ts";
import { findPython } from "./find-python.ts";

/** Cases of clients that ask for more than the contract has; this one does not. */
const EXTRAS = new Set([
  "refused-extra-is-followed-by-a-plain-request",
  "refused-token-is-not-asked-again",
]);

test("a client in Python passes every case of the events contract", async () => {
  const python = findPython() ?? assert.fail("Install Python 3 with its package cryptography");
  const driver = createProcessDriver([python, "-B", join(import.meta.dirname, "events_driver.py")]);
  const only = EVENTS_DRIVER_CASES.map(({ id }) => id).filter((id) => !EXTRAS.has(id));
  const report = await checkEventsDriver(driver, { only });
  assert.ok(isConforming(report), reportToText(report));
  assert.equal(report.passed, only.length, reportToText(report));
});
