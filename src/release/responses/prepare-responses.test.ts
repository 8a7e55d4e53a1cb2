import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createRelease, FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import { createChecker } from "../../contract/check.ts";
import { DAY_MS } from "../../contract/durations.ts";
import type { PublishedSource } from "../../contract/release/catalog.ts";
import { Release, ReleaseDownloads, UpdateDecision } from "../../contract/release/schemas.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { DISTRIBUTION_PLATFORMS } from "../../contract/release/values.ts";
import { createManifestPayload } from "../../rules/release/manifest-payload.ts";
import { prepareResponses } from "./prepare-responses.ts";

const PUBLISHED = Date.UTC(2026, 0, 1);
const releases = [12, 11, 10, 9].map((build) => createRelease(build, 4, PUBLISHED));
const [beta, stable] = releases;
const PAYLOAD = createManifestPayload(
  {
    product: "habits",
    lifetimeDays: 30,
    revokedKeys: [],
    rollouts: [],
    files: [],
    archive: null,
    releases: [],
    withdrawn: [],
  },
  null,
  PUBLISHED,
);
const prepare = (
  published: readonly PublishedSource[],
  envelope: Buffer<ArrayBuffer> | null = null,
) =>
  prepareResponses(
    { settings: FIXTURE_SETTINGS, keys: {}, releases: published },
    envelope && { envelope, payload: PAYLOAD },
    0,
  );
const responses = prepare(releases);
const parse = (body: unknown): unknown => JSON.parse(String(body));

test("every release has a response by its version, and one with its downloads", () => {
  assert.equal(responses.release("9.9.9"), undefined);
  for (const release of releases) {
    const prepared = responses.release(release.version);
    assert.ok(prepared !== undefined);
    const body = parse(prepared.release().full.body);
    assert.deepEqual(createChecker(Release).errors(body), []);
    assert.deepEqual(body, release);
    const downloads = parse(prepared.downloads().full.body);
    assert.deepEqual(createChecker(ReleaseDownloads).errors(downloads), []);
    assert.deepEqual(downloads, { version: release.version, artifacts: release.artifacts });
    assert.equal(prepared.release().full.headers["Cache-Control"], CACHE.immutable);
    assert.equal(prepared.downloads().full.headers["Cache-Control"], CACHE.immutable);
  }
});

test("a release of a long history has the same validator on every request", () => {
  const history = Array.from({ length: 600 }, (_, index) =>
    createRelease(600 - index, 0, PUBLISHED),
  );
  const { release: responsesOf } = prepare(history);
  const etags = history.map(({ version }) => responsesOf(version)?.release().etag);
  assert.equal(new Set(etags).size, history.length);
  assert.deepEqual(
    history.map(({ version }) => responsesOf(version)?.release().etag),
    etags,
  );
});

test("the latest of a channel is its newest, and is cached for minutes only", () => {
  for (const [channel, release] of [
    ["beta", beta],
    ["stable", stable],
  ] as const) {
    const { release: response } = responses.latest[channel] ?? {};
    assert.deepEqual(parse(response?.full.body), release);
    assert.equal(response?.full.headers["Cache-Control"], CACHE.current);
  }
});

test("a channel without a release has no latest and an empty list", () => {
  const none = prepare([]);
  assert.equal(none.latest.stable, undefined);
  assert.deepEqual(parse(none.list.beta.page(1, 20).full.body), {
    page: 1,
    limit: 20,
    total: 0,
    releases: [],
  });
  assert.equal(none.manifest, null);
});

test("the manifest has exactly the bytes of the file", () => {
  const envelope = Buffer.from('{ "schemaVersion": 1,\n\t"payload": "x" }\n');
  const { manifest } = prepare([], envelope);
  assert.deepEqual(manifest?.full.body, envelope);
  const digest = createHash("sha256").update(envelope).digest("base64url");
  assert.equal(manifest?.etag, `"${digest}"`);
  assert.equal(manifest?.full.headers["Content-Length"], String(envelope.length));
});

test("a decision is the contract's, for every platform and channel", () => {
  const current = { version: "1.0.1", buildNumber: 1 };
  for (const [channel, release, query] of [
    ["beta", beta, "?channel=beta"],
    ["stable", stable, ""],
  ] as const) {
    for (const platform of DISTRIBUTION_PLATFORMS) {
      const response = responses.latest[channel]?.decide(platform, current, PUBLISHED);
      const body = parse(response?.body);
      assert.deepEqual(createChecker(UpdateDecision).errors(body), []);
      assert.deepEqual(body, {
        platform,
        updateAvailable: true,
        mandatory: false,
        current,
        target: { version: release?.version, buildNumber: release?.buildNumber },
        minimumSupportedVersion: "1.0.0",
        download: `/api/v1/download/${platform}${query}`,
      });
      assert.equal(response?.headers["Cache-Control"], CACHE.current);
    }
  }
});

test("a decision turns mandatory at the deadline, without a reload", () => {
  const deadline = PUBLISHED + 30 * DAY_MS;
  const { latest } = prepare([createRelease(10, 0, PUBLISHED)]);
  const isMandatory = (now: number) =>
    (
      parse(
        latest.stable?.decide("linux", { version: "1.0.0", buildNumber: 1 }, now).body,
      ) as UpdateDecision
    ).mandatory;
  assert.equal(isMandatory(deadline - 1), false);
  assert.equal(isMandatory(deadline), true);
});

test("a redirect leads to the first artifact of its platform and architecture", () => {
  const redirect = responses.latest.stable?.redirect("android", "universal");
  assert.equal(redirect?.status, 302);
  assert.match(redirect?.headers["Location"] ?? "", /^https:\/\/downloads\.example\.com\/.*\.apk$/);
  assert.equal(redirect?.headers["Cache-Control"], CACHE.current);
});

test("an architecture is compared exactly, and names no other platform's file", () => {
  const artifact = releases[0]?.artifacts[2];
  assert.ok(artifact !== undefined);
  const { latest } = prepare([
    {
      ...createRelease(1, 0, PUBLISHED),
      artifacts: [
        { ...artifact, platform: "ios", architecture: "x64" },
        { ...artifact, platform: "windows", architecture: "a/b" },
      ],
    },
  ]);
  const redirect = latest.stable?.redirect;
  assert.equal(redirect?.("windows", "a/b")?.status, 302);
  for (const architecture of ["X64", "x64", "a", "b", "", "__proto__", "constructor"]) {
    assert.equal(redirect?.("windows", architecture), undefined);
    assert.equal(redirect?.("linux", architecture), undefined);
  }
});
