import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deadlineHasPassed, decideUpdate, updateDecisionToJson } from "./decide-update.ts";
import { compareVersions } from "./version.ts";

const DEADLINE = "2026-03-01T12:00:00+01:00";
const at = Date.parse(DEADLINE);
const target = { version: "2.0.0", buildNumber: 20, mandatoryAfter: DEADLINE };

for (const [version, buildNumber, now, expected] of [
  [
    "1.0.0",
    10,
    at,
    {
      updateAvailable: true,
      mandatory: true,
      rules: ["newer-build", "newer-version", "deadline-passed"],
    },
  ],
  [
    "1.0.0",
    10,
    at - 1,
    {
      updateAvailable: true,
      mandatory: false,
      rules: ["newer-build", "newer-version", "deadline-ahead"],
    },
  ],
  [
    "2.0.0",
    19,
    at,
    { updateAvailable: true, mandatory: true, rules: ["newer-build", "deadline-passed"] },
  ],
  [
    "1.9.9",
    20,
    at,
    { updateAvailable: true, mandatory: true, rules: ["newer-version", "deadline-passed"] },
  ],
  [
    "1.9.9",
    99,
    at,
    { updateAvailable: true, mandatory: true, rules: ["newer-version", "deadline-passed"] },
  ],
  [
    "3.0.0",
    19,
    at,
    { updateAvailable: true, mandatory: true, rules: ["newer-build", "deadline-passed"] },
  ],
  ["2.0.0", 20, at, { updateAvailable: false, mandatory: false, rules: ["up-to-date"] }],
  ["2.1.0", 21, at, { updateAvailable: false, mandatory: false, rules: ["up-to-date"] }],
] as const) {
  test(`${version} build ${buildNumber}, ${now < at ? "before" : "at"} the deadline: ${expected.rules.join(", ")}`, () => {
    assert.deepEqual(decideUpdate({ version, buildNumber }, target, now), expected);
  });
}

test("without a deadline nothing is ever mandatory", () => {
  const result = decideUpdate(
    { version: "1.0.0", buildNumber: 1 },
    { ...target, mandatoryAfter: null },
    Number.MAX_SAFE_INTEGER,
  );
  assert.deepEqual(result.rules, ["newer-build", "newer-version"]);
  assert.equal(result.mandatory, false);
});

test("a deadline passes at its instant, in any offset", () => {
  for (const text of ["2026-03-01T11:00:00Z", DEADLINE, "2026-03-02T00:30:00+13:30"]) {
    assert.equal(deadlineHasPassed(text, at - 1), false);
    assert.equal(deadlineHasPassed(text, at), true);
  }
});

test("the two rules of the contract hold for every client and every target", () => {
  const number = fc.integer({ min: 0, max: 3 });
  const version = fc.tuple(number, number, number).map((parts) => parts.join("."));
  const build = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(
      version,
      build,
      version,
      build,
      fc.boolean(),
      (mine, myBuild, theirs, theirBuild, isLate) => {
        const { updateAvailable, mandatory } = decideUpdate(
          { version: mine, buildNumber: myBuild },
          { version: theirs, buildNumber: theirBuild, mandatoryAfter: DEADLINE },
          isLate ? at : at - 1,
        );
        assert.equal(updateAvailable, theirBuild > myBuild || compareVersions(theirs, mine) > 0);
        assert.equal(mandatory, updateAvailable && isLate);
      },
    ),
  );
});

test("a build beyond the safe integers is compared and written exactly", () => {
  const target = { version: "1.0.0", buildNumber: Number.MAX_SAFE_INTEGER, mandatoryAfter: null };
  const buildNumber = 9007199254740993n;
  const result = decideUpdate({ version: "1.0.0", buildNumber }, target, 0);
  assert.deepEqual(result, { updateAvailable: false, mandatory: false, rules: ["up-to-date"] });
  const decision = {
    platform: "linux",
    updateAvailable: false,
    mandatory: false,
    current: { version: "1.0.0", buildNumber },
    target: { version: "1.0.0", buildNumber: 7 },
    minimumSupportedVersion: "1.0.0",
    download: "/api/v1/download/linux",
  } as const;
  const text = updateDecisionToJson(decision);
  assert.ok(text.includes('"current":{"version":"1.0.0","buildNumber":9007199254740993},'), text);
  const short = { ...decision, current: { version: "1.0.0", buildNumber: 41 } };
  assert.equal(updateDecisionToJson(short), JSON.stringify(short));
});
