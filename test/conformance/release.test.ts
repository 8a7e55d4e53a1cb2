import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkRelease, isConforming, reportToText } from "../../conformance/index.ts";
import { RELEASE_CASES } from "../../conformance/release/check-release.ts";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { createConformanceCatalog, type ConformanceCatalog } from "./release-catalog.ts";
import { startReleaseProcess, type ReleaseProcess } from "./service-process.ts";

const PUBLIC = {
  baseUrl: "https://releases.example.org",
  smartDownloadUrl: "https://download.example.org",
  websiteDownloadUrl: "https://www.example.org/#download",
};

let catalog: ConformanceCatalog;
let emptyCatalog: CatalogFixture;
let server: ReleaseProcess;
let emptyServer: ReleaseProcess;

before(async () => {
  catalog = await createConformanceCatalog();
  emptyCatalog = await createCatalogFixture({ releases: 0, signed: false });
  [server, emptyServer] = await Promise.all([
    startReleaseProcess({ ...PUBLIC, catalog: catalog.fixture.folder }),
    startReleaseProcess({ ...PUBLIC, catalog: emptyCatalog.folder }),
  ]);
});

after(async () => {
  await Promise.all([server.stop(), emptyServer.stop()]);
  await Promise.all([catalog.fixture.remove(), emptyCatalog.remove()]);
});

test("the running process passes every case, and none is skipped", async () => {
  const report = await checkRelease({
    baseUrl: server.url,
    smartDownloadUrl: server.smartDownloadUrl,
    publicUrl: PUBLIC.baseUrl,
    publicSmartDownloadUrl: PUBLIC.smartDownloadUrl,
    websiteDownloadUrl: PUBLIC.websiteDownloadUrl,
    emptyUrl: emptyServer.url,
    ...catalog.known,
  });
  assert.ok(isConforming(report), reportToText(report));
  assert.equal(report.passed, RELEASE_CASES.length, reportToText(report));
});

test("without further input the cases that need it are skipped", async () => {
  const report = await checkRelease({ baseUrl: server.url });
  assert.equal(report.failed, 0, reportToText(report));
  assert.ok(report.skipped > 0);
  for (const { id, outcome } of report.results) {
    if (outcome.kind === "skipped") assert.match(outcome.reason, /./, id);
  }
});

test("an empty server fails no case", async () => {
  const report = await checkRelease({ baseUrl: emptyServer.url });
  assert.equal(report.failed, 0, reportToText(report));
  const passed = report.results.filter(({ outcome }) => outcome.kind === "passed");
  const ids = new Set(passed.map(({ id }) => id));
  assert.ok(ids.has("missing-manifest-is-unavailable"));
  assert.ok(ids.has("nothing-published-is-release-not-found"));
});
