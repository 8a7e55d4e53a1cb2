import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import { createChecker } from "./check.ts";
import { KeyRing, PublishedSource } from "./release/catalog.ts";
import { Release, UpdateDecision } from "./release/schemas.ts";
import { createRelease } from "../../test/fixtures/catalog.ts";

const release = createRelease(1, 0, Date.UTC(2026, 0, 1));
const errorsOf = (value: unknown) =>
  createChecker(Release)
    .errors(value)
    .map(({ path, problem }) => `${path} ${problem}`);

test("a valid value has no error", () => {
  assert.equal(createChecker(Release).is(release), true);
  assert.deepEqual(errorsOf(release), []);
});

test("the first check of a schema, which is not compiled yet, says the same as the next ones", () => {
  const { notes: _notes, ...rest } = release;
  for (const [value, isValid] of [
    [release, true],
    [rest, false],
    [{ ...release, version: "v1" }, false],
    [{ ...release, publishedAt: "2026-02-30T00:00:00Z" }, false],
    [{ ...release, extra: true }, false],
    [{ ...release, artifacts: [] }, false],
    [null, false],
  ] as const) {
    const { is } = createChecker({ ...Release });
    assert.deepEqual([is(value), is(value), is(value)], [isValid, isValid, isValid]);
  }
});

test("an error names the path, what is expected and what was found", () => {
  const [artifact, ...rest] = release.artifacts;
  const broken = { ...release, artifacts: [artifact, { ...rest[0], sha256: "ABC" }] };
  assert.deepEqual(errorsOf(broken), [
    'artifacts[1].sha256 must be a SHA-256 digest of 64 lower-case hexadecimal digits, not "ABC"',
  ]);
});

test("every error is reported, each path once", () => {
  const { notes: _notes, ...rest } = release;
  const broken = {
    ...rest,
    version: "v1",
    buildNumber: 0,
    channel: "nightly",
    publishedAt: "2026-02-30T00:00:00Z",
    mandatoryAfter: "tomorrow",
    artifacts: [],
    extra: true,
  };
  const errors = createChecker(Release).errors(broken);
  assert.deepEqual(errors.map(({ path }) => path).sort(), [
    "artifacts",
    "buildNumber",
    "channel",
    "extra",
    "mandatoryAfter",
    "notes",
    "publishedAt",
    "version",
  ]);
  const problems = Object.fromEntries(errors.map(({ path, problem }) => [path, problem]));
  assert.equal(problems["buildNumber"], "must be an integer of at least 1, not 0");
  assert.equal(problems["channel"], 'must be one of "stable", "beta", not "nightly"');
  assert.match(problems["publishedAt"] ?? "", /RFC 3339.*not "2026-02-30T00:00:00Z"/);
  assert.match(problems["mandatoryAfter"] ?? "", /RFC 3339 date-time .* or null, not "tomorrow"/);
  assert.equal(problems["artifacts"], "must be a list of at least 1, not a list of 0");
  assert.match(problems["extra"] ?? "", /^is not known here; known are version, buildNumber/);
  assert.equal(problems["notes"], "is missing; expected an object");
});

test("hundreds of errors are all reported", () => {
  const artifacts = Array.from({ length: 300 }, () => ({ ...release.artifacts[0], size: 0 }));
  assert.equal(errorsOf({ ...release, artifacts }).length, 300);
});

test("a document of another type is one error of the whole", () => {
  for (const [value, found] of [
    [null, "null"],
    ["text", '"text"'],
    [7, "7"],
    [undefined, "absent"],
    [[], "a list of 0"],
  ] as const) {
    assert.deepEqual(createChecker(Release).errors(value), [
      { path: "", problem: `must be an object, not ${found}` },
    ]);
  }
});

test("a long value is cut", () => {
  const [error = ""] = errorsOf({ ...release, version: "9".repeat(5000) });
  assert.ok(error.length < 200, error);
  assert.match(error, /…$/);
});

test("a member of a key ring with a wrong name or value is named", () => {
  const ring: unknown = { "a b": "x".repeat(43), "release-1": "short" };
  const errors = createChecker(KeyRing).errors(ring);
  assert.deepEqual(errors.map(({ path }) => path).sort(), ["a b", "release-1"]);
  assert.ok(errors.every(({ problem }) => /valid name|public key/.test(problem)));
});

test("members that every JavaScript object has are unknown members like others", () => {
  const value: unknown = JSON.parse(
    `{"__proto__":1,"constructor":2,"toString":3,${JSON.stringify(release).slice(1)}`,
  );
  assert.equal(createChecker(PublishedSource).is(value), false);
  assert.deepEqual(
    errorsOf(value)
      .map((error) => error.split(" ")[0])
      .toSorted(),
    ["__proto__", "constructor", "toString"],
  );
});

test("a slash or a tilde in a member's name is shown as it is", () => {
  const checker = createChecker(Type.Record(Type.String(), Type.Integer()));
  assert.deepEqual(checker.errors({ "a/b~c": "x" }), [
    { path: "a/b~c", problem: 'must be an integer, not "x"' },
  ]);
});

test("the error of a text states the allowed length", () => {
  const checker = createChecker(Type.Object({ name: Type.String({ minLength: 1, maxLength: 3 }) }));
  assert.deepEqual(checker.errors({ name: "long" }), [
    { path: "name", problem: 'must be text of 1 to 3 characters, not "long"' },
  ]);
});

test("the value of a secret is never shown", () => {
  const checker = createChecker(
    Type.Object({ passphrase: Type.String({ minLength: 1, "x-secret": true }) }),
  );
  for (const passphrase of [12_345_678, ["12345678"], { a: "12345678" }]) {
    const text = JSON.stringify(checker.errors({ passphrase }));
    assert.match(text, /passphrase.*must be text that is not empty/);
    assert.doesNotMatch(text, /12345678/);
  }
});

test("an integer of the wire is an integer", () => {
  const decision = {
    platform: "linux",
    updateAvailable: true,
    mandatory: false,
    current: { version: "1.0.0", buildNumber: 1.5 },
    target: { version: "1.0.1", buildNumber: 2 },
    minimumSupportedVersion: "1.0.0",
    download: "/api/v1/download/linux",
  };
  assert.deepEqual(createChecker(UpdateDecision).errors(decision), [
    { path: "current.buildNumber", problem: "must be an integer of at least 1, not 1.5" },
  ]);
});
