import assert from "node:assert/strict";
import { test } from "node:test";
import { ConformanceError, NotTestableError, type ConformanceCase } from "./case.ts";
import { runCases } from "./run-cases.ts";

const createCase = (id: string, run: () => Promise<void>): ConformanceCase<null> => ({
  id,
  title: `Title of ${id}`,
  section: "contract, somewhere",
  run,
});

const FAILURE = { asked: "GET /x", expected: "status 200", received: "status 500" };

test("a case that returns has passed", async () => {
  const [result] = await runCases([createCase("a", async () => {})], null);
  assert.deepEqual(result?.outcome, { kind: "passed" });
  assert.equal(result?.title, "Title of a");
});

test("a ConformanceError fails the case with its failures", async () => {
  const broken = createCase("a", async () => {
    throw new ConformanceError(FAILURE);
  });
  const [result] = await runCases([broken], null);
  assert.deepEqual(result?.outcome, { kind: "failed", violations: [FAILURE] });
});

test("a NotTestableError skips the case with its reason", async () => {
  const skipped = createCase("a", async () => {
    throw new NotTestableError("No keys are known");
  });
  const [result] = await runCases([skipped], null);
  assert.deepEqual(result?.outcome, { kind: "skipped", reason: "No keys are known" });
});

test("another error fails the case and does not stop the run", async () => {
  const throwing = createCase("a", async () => {
    throw new TypeError("x is undefined");
  });
  const results = await runCases([throwing, createCase("b", async () => {})], null);
  assert.deepEqual(
    results.map(({ outcome }) => outcome.kind),
    ["failed", "passed"],
  );
});

test("a case that never ends fails after its timeout", async () => {
  const endless = createCase("a", () => new Promise(() => {}));
  const [result] = await runCases([endless], null, { caseTimeoutMs: 20 });
  assert.equal(result?.outcome.kind, "failed");
});

test("at most `concurrency` cases run at once, and the results keep the order of the cases", async () => {
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

test("only the cases that `only` names run", async () => {
  const cases = ["a", "b", "c"].map((id) => createCase(id, async () => {}));
  const results = await runCases(cases, null, { only: ["c", "a"] });
  assert.deepEqual(
    results.map(({ id }) => id),
    ["a", "c"],
  );
});

test("no case begins after the run was ended", async () => {
  const ending = new AbortController();
  const began: string[] = [];
  const cases = ["a", "b", "c"].map((id) => createCase(id, async () => void began.push(id)));
  const results = await runCases(cases, null, {
    concurrency: 1,
    signal: ending.signal,
    onResult: ({ id }) => id === "b" && ending.abort(),
  });
  assert.deepEqual(began, ["a", "b"]);
  assert.deepEqual(
    results.map(({ id }) => id),
    ["a", "b"],
  );
});
