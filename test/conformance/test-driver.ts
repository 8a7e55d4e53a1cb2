/** The tests of every kit for clients: ours passes, and each broken one is caught by the cases of its rule. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  createFunctionDriver,
  isConforming,
  reportToText,
  type DriverReport,
  type Driver,
} from "../../conformance/index.ts";
import type { DriverCase } from "../../conformance/drivers/check-driver.ts";
import type { ClientBreak, RunClient } from "./breaks/driver-break.ts";

interface DriverTest<Task> {
  check(driver: Driver, options: { only?: readonly string[] }): Promise<DriverReport>;
  readonly cases: readonly DriverCase[];
  readonly run: RunClient<Task>;
}

/** Another test runs our client in the cases with the ids `elsewhere`. */
export function testOwnClient<Task>(
  { check, cases, run }: DriverTest<Task>,
  elsewhere: readonly string[] = [],
): void {
  test("our client passes every case, and none is skipped", async () => {
    const only = cases.map(({ id }) => id).filter((id) => !elsewhere.includes(id));
    const report = await check(createFunctionDriver("ours", run), { only });
    assert.ok(isConforming(report), reportToText(report));
    assert.equal(report.passed, only.length, reportToText(report));
  });
}

export function testBrokenClients<Task>(
  { check, cases, run }: DriverTest<Task>,
  breaks: readonly ClientBreak<Task>[],
): void {
  describe("is caught when it", () => {
    for (const broken of breaks) {
      test(broken.name, async () => {
        const driver = createFunctionDriver("broken", (task: Task) => broken.run(task, run));
        const report = await check(driver, { only: broken.caughtBy });
        const failed = report.results.filter(({ outcome }) => outcome.kind === "failed");
        assert.deepEqual(
          failed.map(({ id }) => id).toSorted(),
          broken.caughtBy.toSorted(),
          reportToText(report),
        );
      });
    }
  });

  test("is caught by every case", () => {
    const proved = new Set(breaks.flatMap(({ caughtBy }) => caughtBy));
    assert.deepEqual(
      cases.filter(({ id }) => !proved.has(id)).map(({ id }) => id),
      [],
    );
  });
}
