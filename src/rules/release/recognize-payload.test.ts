import assert from "node:assert/strict";
import { test } from "node:test";
import { createRelease } from "../../../test/fixtures/catalog.ts";
import { createManifestPayload } from "./manifest-payload.ts";
import { payloadTail, readPayloadHead, RELEASE_SEPARATOR } from "./recognize-payload.ts";

const releases = [createRelease(2, 0, 2), createRelease(1, 0, 1)];
const withdrawn = [{ version: "0.9.0", buildNumber: 7, reason: "Loses data" }];
const payload = createManifestPayload(
  { product: "habits", lifetimeDays: 30, releases, withdrawn },
  { sequence: 6, issuedAt: "2026-01-01T00:00:00Z", envelopeSha256: "0".repeat(64) },
  0,
);
const text = JSON.stringify(payload);

test("head, releases and tail make up the payload", () => {
  const head = readPayloadHead(text, "habits");
  const bodies = releases.map((release) => JSON.stringify(release)).join(RELEASE_SEPARATOR);
  assert.equal(`${head?.text}${bodies}${payloadTail(withdrawn)}`, text);
});

test("the head says everything but the releases", () => {
  const { releases: _releases, withdrawn: _withdrawn, ...fields } = payload;
  assert.deepEqual(readPayloadHead(text, "habits")?.fields, fields);
  assert.equal(fields.sequence, 7);
});

test("anything else is not recognised: another product, order, spacing, value, or no JSON", () => {
  for (const other of [
    text.replace("habits", "others"),
    JSON.stringify(payload, null, 1),
    text.replace("{", "{ "),
    text.replace('"sequence":7', '"sequence":0'),
    text.replace('"sequence":7', '"sequence":6,"sequence":7'),
    JSON.stringify(Object.fromEntries(Object.entries(payload).toReversed())),
    ',"releases":[',
    "",
  ]) {
    assert.equal(readPayloadHead(other, "habits"), null, other.slice(0, 80));
  }
});
