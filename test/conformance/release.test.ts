import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  checkRelease,
  isConforming,
  RELEASE_CASES,
  reportToText,
} from "../../src/conformance/index.ts";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";
import { createConformanceCatalog, type ConformanceCatalog } from "./release-catalog.ts";
import { startReleaseProcess, type ReleaseProcess } from "./release-process.ts";

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

test("the running process keeps every requirement of the release contract, and none is skipped", async () => {
  const report = await checkRelease({
    baseUrl: server.api,
    smartDownloadUrl: server.smartDownload,
    publicUrl: PUBLIC.baseUrl,
    publicSmartDownloadUrl: PUBLIC.smartDownloadUrl,
    websiteDownloadUrl: PUBLIC.websiteDownloadUrl,
    emptyUrl: emptyServer.api,
    ...catalog.known,
  });
  assert.ok(isConforming(report), reportToText(report));
  assert.equal(report.passed, RELEASE_CASES.length, reportToText(report));
});

test("a server of which only the address is known is judged as far as that goes", async () => {
  const report = await checkRelease({ baseUrl: server.api });
  assert.equal(report.failed, 0, reportToText(report));
  assert.ok(report.skipped > 0);
  for (const { id, outcome } of report.results) {
    if (outcome.kind === "skipped") assert.match(outcome.reason, /./, id);
  }
});

test("an empty server is judged as far as that goes", async () => {
  const report = await checkRelease({ baseUrl: emptyServer.api });
  assert.equal(report.failed, 0, reportToText(report));
  const passed = report.results.filter(({ outcome }) => outcome.kind === "passed");
  const ids = new Set(passed.map(({ id }) => id));
  assert.ok(ids.has("missing-manifest-is-unavailable"));
  assert.ok(ids.has("nothing-published-is-release-not-found"));
});
