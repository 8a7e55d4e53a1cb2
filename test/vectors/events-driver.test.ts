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
import { findPython } from "./find-python.ts";

test("a client in Python passes every case of the events contract", async () => {
  const python = findPython() ?? assert.fail("Install Python 3 with its package cryptography");
  const driver = createProcessDriver([python, "-B", join(import.meta.dirname, "events_driver.py")]);
  const report = await checkEventsDriver(driver);
  assert.ok(isConforming(report), reportToText(report));
  assert.equal(report.skipped, 0, reportToText(report));
});
