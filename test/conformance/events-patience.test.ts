/** How long an events client waits. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checkEventsDriver,
  createFunctionDriver,
  reportToText,
  type DriverReport,
  type EventsTask,
} from "../../conformance/index.ts";
import { runEvents } from "./drivers/events.ts";
import { PATIENCE_CASES } from "./patience-cases.ts";

const check = (run: (task: EventsTask) => Promise<object>): Promise<DriverReport> =>
  checkEventsDriver(createFunctionDriver("events client", run), { only: PATIENCE_CASES });

describe("15 seconds", { concurrency: true }, () => {
  test("are what our client waits", async () => {
    const report = await check(runEvents);
    assert.deepEqual(
      [report.passed, report.failed],
      [PATIENCE_CASES.length, 0],
      reportToText(report),
    );
  });

  test("are exceeded by a client without a time limit, which is caught", async () => {
    const report = await check((task) =>
      runEvents(task, (url, init) => fetch(url, { ...init, signal: null })),
    );
    assert.deepEqual(
      [report.passed, report.failed],
      [0, PATIENCE_CASES.length],
      reportToText(report),
    );
  });
});
