import assert from "node:assert/strict";
import { test } from "node:test";
import type { CaseFailure, CaseOutcome, CaseResult } from "./case.ts";
import { createReport, isConforming, reportToText } from "./report.ts";

const createResult = (id: string, outcome: CaseOutcome): CaseResult => ({
  id,
  title: `Title of ${id}`,
  section: `contract, ${id}`,
  outcome,
  durationMs: 1,
});

const createFailure = (path: string): CaseFailure => ({
  asked: `GET ${path}`,
  expected: "status 200",
  received: "status 500",
});

const PASSED: CaseOutcome = { kind: "passed" };
const SKIPPED: CaseOutcome = { kind: "skipped", reason: "No keys are known" };
const failed = (...violations: CaseFailure[]): CaseOutcome => ({ kind: "failed", violations });
const report = (...results: CaseResult[]) => createReport("release", "http://x", results);

test("a server conforms when something was tested and nothing failed", () => {
  const passed = createResult("a", PASSED);
  const skipped = createResult("b", SKIPPED);
  assert.equal(isConforming(report(passed, skipped)), true);
  assert.equal(isConforming(report(skipped)), false);
  assert.equal(isConforming(report(passed, createResult("c", failed(createFailure("/"))))), false);
});

test("a failure shows the request, what was expected and received, and the section", () => {
  const text = reportToText(report(createResult("a", failed(createFailure("/health")))));
  assert.match(text, /FAIL {2}a\n {6}Title of a\n/);
  assert.match(text, /asked {5}GET \/health\n {6}expected {2}status 200\n {6}got {7}status 500/);
  assert.match(text, /see {7}contract, a/);
  assert.match(text, /0 passed, 1 failed, 0 skipped: not compatible$/);
});

test("a skipped case shows the reason", () => {
  const text = reportToText(report(createResult("a", PASSED), createResult("b", SKIPPED)));
  assert.match(text, /pass {2}a\nskip {2}b\n {6}No keys are known\n/);
  assert.match(text, /1 passed, 0 failed, 1 skipped: compatible as far as it was tested$/);
});

test("a failure of several cases is shown once", () => {
  const same = createFailure("/api/v1/releases");
  const text = reportToText(
    report(createResult("first", failed(same)), createResult("second", failed(same))),
  );
  assert.equal(text.match(/asked/g)?.length, 1);
  assert.match(text, /FAIL {2}second\n.*\n {6}stumbles over what is shown at first\n/);
});

test("a long list of failures is cut", () => {
  const many = Array.from({ length: 30 }, (_, index) => createFailure(`/${index}`));
  const text = reportToText(report(createResult("a", failed(...many))));
  assert.equal(text.match(/asked/g)?.length, 5);
  assert.match(text, /and 25 more like it/);
});

test("the ids of failed cases are repeated in the last lines", () => {
  const failure = failed(createFailure("/"));
  const results = [
    createResult("one", failure),
    createResult("two", PASSED),
    createResult("three", failure),
    createResult("four", SKIPPED),
  ];
  assert.match(
    reportToText(report(...results)),
    /\n\nFailed:\n {2}one\n {2}three\n1 passed, 2 failed, 1 skipped: not compatible$/,
  );
  assert.doesNotMatch(reportToText(report(createResult("two", PASSED))), /Failed/);
});
