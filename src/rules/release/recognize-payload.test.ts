import assert from "node:assert/strict";
import { test } from "node:test";
import { createRelease, FIXTURE_SETTINGS } from "../../../test/fixtures/catalog.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "./catalog.ts";
import { createManifestPayload } from "./manifest-payload.ts";
import { recognizePayload } from "./recognize-payload.ts";

const catalog: Catalog = {
  settings: FIXTURE_SETTINGS,
  keys: {},
  releases: [createRelease(2, 0, 2), createRelease(1, 0, 1)],
};

function payloadOf(of: Catalog) {
  return createManifestPayload(
    {
      product: of.settings.product,
      lifetimeDays: 30,
      releases: publishedReleases(of),
      withdrawn: withdrawnReleases(of),
    },
    null,
    0,
  );
}

test("the payload a catalogue would be signed as is recognised, with its own sequence and times", () => {
  const payload = { ...payloadOf(catalog), sequence: 7 };
  assert.deepEqual(recognizePayload(JSON.stringify(payload), catalog), payload);
});

test("anything else is not recognised: another release, product, order, ending, or no JSON", () => {
  const text = JSON.stringify(payloadOf(catalog));
  const older = { ...catalog, releases: catalog.releases.slice(1) };
  for (const other of [
    JSON.stringify(payloadOf(older)),
    text.replace("habits", "others"),
    JSON.stringify(payloadOf(catalog), null, 1),
    `${text} `,
    text.slice(0, -1),
    text.replace('"sequence":1', '"sequence":0'),
    ',"releases":[',
    "",
  ]) {
    assert.equal(recognizePayload(other, catalog), null, other.slice(0, 80));
  }
});
