import assert from "node:assert/strict";
import { test } from "node:test";
import { NotTestable, ViolationError, type ConformanceCase } from "./case.ts";
import { runCases } from "./run-cases.ts";

const createCase = (id: string, run: () => Promise<void>): ConformanceCase<null> => ({
  id,
  title: `Title of ${id}`,
  section: "contract, somewhere",
  run,
});

const VIOLATION = { asked: "GET /x", expected: "status 200", received: "status 500" };

test("a case that returns has passed", async () => {
  const [result] = await runCases([createCase("a", async () => {})], null);
  assert.deepEqual(result?.outcome, { kind: "passed" });
  assert.equal(result?.title, "Title of a");
});

test("a violation fails the case with what was asked, expected and received", async () => {
  const broken = createCase("a", async () => {
    throw new ViolationError([VIOLATION]);
  });
  const [result] = await runCases([broken], null);
  assert.deepEqual(result?.outcome, { kind: "failed", violations: [VIOLATION] });
});

test("a case that cannot be tested is skipped with its reason", async () => {
  const skipped = createCase("a", async () => {
    throw new NotTestable("No keys are known");
  });
  const [result] = await runCases([skipped], null);
  assert.deepEqual(result?.outcome, { kind: "skipped", reason: "No keys are known" });
});

test("an answer that makes the case stumble is a failure and does not stop the run", async () => {
  const stumbling = createCase("a", async () => {
    throw new TypeError("x is undefined");
  });
  const results = await runCases([stumbling, createCase("b", async () => {})], null);
  assert.deepEqual(
    results.map(({ outcome }) => outcome.kind),
    ["failed", "passed"],
  );
});

test("a case that never ends fails after its time", async () => {
  const endless = createCase("a", () => new Promise(() => {}));
  const [result] = await runCases([endless], null, { caseTimeoutMs: 20 });
  assert.equal(result?.outcome.kind, "failed");
});

test("no more cases run at once than allowed, and the results keep the order of the cases", async () => {
  let running = 0;
  let most = 0;
  const delays = [30, 5, 20, 1, 10, 2];
  const cases = delays.map((delay) =>
    createCase(`case-${delay}`, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, delay));
      running -= 1;
    }),
  );
  const results = await runCases(cases, null, { concurrency: 3 });
  assert.equal(most, 3);
  assert.deepEqual(
    results.map(({ id }) => id),
    cases.map(({ id }) => id),
  );
});
