import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createPayload, createPublishedRelease } from "../../../test/fixtures/signed-envelope.ts";
import { createManifestPayload, isManifestPayload } from "./manifest-payload.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 1);
const content = {
  product: "habits",
  lifetimeDays: 30,
  revokedKeys: [],
  rollouts: [],
  files: [],
  archive: null,
  releases: [createPublishedRelease()],
  withdrawn: [{ version: "1.1.0", buildNumber: 11, reason: "Loses data" }],
};

test("the first manifest has sequence 1 and no predecessor", () => {
  const payload = createManifestPayload(content, null, NOW);
  assert.equal(payload.sequence, 1);
  assert.equal(payload.previous, null);
  assert.equal(Date.parse(payload.issuedAt), NOW);
  assert.equal(Date.parse(payload.expiresAt), NOW + 30 * DAY);
  assert.ok(isManifestPayload(payload));
});

test("revoked keys are named before the releases, and only when there are any", () => {
  assert.equal("revokedKeys" in createManifestPayload(content, null, NOW), false);
  const revokedKeys = ["release-2026-01"];
  const payload = createManifestPayload({ ...content, revokedKeys }, null, NOW);
  assert.deepEqual(payload.revokedKeys, revokedKeys);
  const members = Object.keys(payload);
  assert.ok(members.indexOf("revokedKeys") < members.indexOf("releases"));
  assert.ok(isManifestPayload(payload));
});

test("rollouts are named after the revoked keys and before the releases, and only when there are any", () => {
  assert.equal("rollouts" in createManifestPayload(content, null, NOW), false);
  const rollouts = [{ version: "1.2.0", percent: 0 }];
  const revokedKeys = ["release-2026-01"];
  const payload = createManifestPayload({ ...content, revokedKeys, rollouts }, null, NOW);
  assert.deepEqual(Object.keys(payload).slice(-4), [
    "revokedKeys",
    "rollouts",
    "releases",
    "withdrawn",
  ]);
  assert.deepEqual(payload.rollouts, rollouts);
  assert.ok(isManifestPayload(payload));
});

test("each manifest follows the previous one, even when the clock was set back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e9 }),
      fc.integer({ min: -400, max: 400 }),
      (n, days) => {
        const issuedAt = new Date(NOW).toISOString();
        const before = { sequence: n, issuedAt, envelopeSha256: "ef".repeat(32) };
        const payload = createManifestPayload(content, before, NOW + days * DAY);
        assert.equal(payload.sequence, n + 1);
        assert.equal(payload.previous, before.envelopeSha256);
        assert.ok(Date.parse(payload.issuedAt) >= NOW);
        assert.equal(Date.parse(payload.expiresAt) - Date.parse(payload.issuedAt), 30 * DAY);
      },
    ),
  );
});

test("a field that a later version adds does not make a manifest unreadable", () => {
  assert.ok(isManifestPayload({ ...createPayload(), rollout: { percent: 10 } }));
});

const release = createPublishedRelease();
const artifact = release.artifacts[0];
const inRelease = (changes: object) => ({ releases: [{ ...release, ...changes }] });
const inArtifact = (changes: object) => inRelease({ artifacts: [{ ...artifact, ...changes }] });
const withdrawal = { version: "1.1.0", buildNumber: 11, reason: "Loses data" };

for (const [name, changes] of [
  ["another schema version", { schemaVersion: 2 }],
  ["no product", { product: undefined }],
  ["a sequence of zero", { sequence: 0 }],
  ["a sequence beyond exact integers", { sequence: 2 ** 53 }],
  ["a sequence as text", { sequence: "7" }],
  ["a day that does not exist", { expiresAt: "2026-02-30T00:00:00Z" }],
  ["no previous", { previous: undefined }],
  ["revoked keys as text", { revokedKeys: "release-2026-01" }],
  ["a revoked key that is not text", { revokedKeys: [1] }],
  ["rollouts that are no list", { rollouts: { "1.2.0": 25 } }],
  ["a rollout of no version", { rollouts: [{ version: "latest", percent: 25 }] }],
  ["a rollout of less than 0 percent", { rollouts: [{ version: "1.2.0", percent: -1 }] }],
  ["a rollout of more than everybody", { rollouts: [{ version: "1.2.0", percent: 101 }] }],
  ["a rollout of half a percent", { rollouts: [{ version: "1.2.0", percent: 0.5 }] }],
  ["a rollout without a percent", { rollouts: [{ version: "1.2.0" }] }],
  ["releases that are no list", { releases: {} }],
  ["a release that is null", { releases: [null] }],
  ["a version with a leading v", inRelease({ version: "v1.2.0" })],
  ["a version that is a number", inRelease({ version: 1 })],
  ["a fractional build number", inRelease({ buildNumber: 1.5 })],
  ["an unknown channel", inRelease({ channel: "nightly" })],
  ["a draft", inRelease({ status: "draft" })],
  ["no mandatoryAfter", inRelease({ mandatoryAfter: undefined })],
  ["a malformed minimum", inRelease({ minimumSupportedVersion: "1.0" })],
  ["notes that are a list", inRelease({ notes: [] })],
  ["artifacts that are no list", inRelease({ artifacts: null })],
  ["a plain http address", inArtifact({ url: "http://downloads.example.com/a" })],
  ["a digest in upper case", inArtifact({ sha256: "AB".repeat(32) })],
  ["an empty file", inArtifact({ size: 0 })],
  ["a file name that climbs", inArtifact({ fileName: "../habits" })],
  ["a withdrawal without a reason", { withdrawn: [{ ...withdrawal, reason: undefined }] }],
  ["a replacement that is not a version", { withdrawn: [{ ...withdrawal, replacedBy: "latest" }] }],
] as const) {
  test(`refuses ${name}`, () => {
    assert.equal(isManifestPayload({ ...createPayload(), ...changes }), false);
  });
}

test("refuses whatever is no object", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(isManifestPayload(value), false);
    }),
  );
});
