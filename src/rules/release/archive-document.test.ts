import assert from "node:assert/strict";
import { test } from "node:test";
import { createRelease } from "../../../test/fixtures/catalog.ts";
import { canonicalJson } from "../canonical-json.ts";
import { archiveParts, readReleaseArchive } from "./archive-document.ts";
import { toPublicRelease } from "./catalog.ts";

const releases = [2, 1].map((build) => toPublicRelease(createRelease(build, 0, 0)));
const withdrawn = [{ version: "0.9.0", buildNumber: 9, reason: 'Größe "1"', replacedBy: "1.0.1" }];
const filesSha256 = "a".repeat(64);

function textOf(count = releases.length): string {
  const content = {
    product: "habits",
    releases: releases.slice(0, count).map((release) => ({
      version: release.version,
      // The bytes of a line of the catalogue, or a text that is just made.
      text: () => Buffer.from(canonicalJson(release)),
      filesSha256,
    })),
    withdrawn,
  };
  return Array.from(archiveParts(content), (part) => Buffer.from(part as string)).join("");
}

const documentOf = (count: number) => ({
  schemaVersion: 1,
  product: "habits",
  releases: releases.slice(0, count),
  files: releases.slice(0, count).map(({ version }) => ({ version, sha256: filesSha256 })),
  withdrawn,
});

test("the parts are together the canonical text of the document", () => {
  for (const count of [0, 1, 2]) assert.equal(textOf(count), canonicalJson(documentOf(count)));
});

test("a client reads the document of its product, and no other", () => {
  assert.deepEqual(readReleaseArchive(textOf(), "habits"), documentOf(2));
  assert.equal(readReleaseArchive(textOf(), "other"), null);
  for (const wrong of [
    "<html>",
    "[]",
    textOf().replace('"schemaVersion":1', '"schemaVersion":2'),
    textOf().replace('"files":[', '"file":['),
    textOf().replace('"status":"published"', '"status":"draft"'),
    textOf().replace(filesSha256, "A".repeat(64)),
  ]) {
    assert.equal(readReleaseArchive(wrong, "habits"), null, wrong.slice(0, 60));
  }
});
