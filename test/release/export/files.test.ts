/** The exported files and header rules against the live responses, without a web server. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { exportRelease } from "../../../src/release/export/export-release.ts";
import { createReleaseService, type ReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { ADDRESSES } from "./addresses.ts";
import { addressOf, expectServedAlike, listExported } from "./exported-files.ts";
import { createPlainHost, headersFor, parseHeaders } from "./plain-host.ts";

let fixture: CatalogFixture;
let service: ReleaseService;
let directory: string;
let tree: string;

const exportAt = (now: number, folder: string) =>
  exportRelease({
    ...ADDRESSES,
    catalog: fixture.folder,
    directory: folder,
    deployedAt: null,
    upstream: null,
    buildSite: null,
    now,
  });

before(async () => {
  fixture = await createCatalogFixture({ releases: 45, drafts: 1, forUpdaters: true });
  service = createReleaseService({ catalog: fixture.folder, ...ADDRESSES });
  directory = await mkdtemp(join(tmpdir(), "trellis-export-"));
  tree = join(directory, "current");
  await exportAt(Date.now(), directory);
});
after(async () => {
  await service.close();
  await fixture.remove();
  await rm(directory, { recursive: true, force: true });
});

const exportedFiles = () => listExported(tree);
const live = (target: string, headers: Readonly<Record<string, string>> = {}) =>
  service.fetch(new Request(`${ADDRESSES.baseUrl}${target}`, { headers }));

test("every file is the live response, byte for byte", () =>
  expectServedAlike(tree, (target) => live(target)));

test("every long file has its compressed forms beside it, which are the live responses", async () => {
  for (const file of exportedFiles()) {
    const path = join(tree, "public", file);
    const { length } = readFileSync(path);
    for (const [encoding, suffix] of [
      ["br", ".br"],
      ["gzip", ".gz"],
    ] as const) {
      assert.equal(existsSync(`${path}${suffix}`), length >= 1024, `${file}${suffix}`);
      if (length < 1024) continue;
      const response = await live(addressOf(file), { "Accept-Encoding": encoding });
      assert.equal(response.headers.get("Content-Encoding"), encoding);
      const written = readFileSync(`${path}${suffix}`);
      assert.deepEqual(written, Buffer.from(await response.arrayBuffer()), `${file}${suffix}`);
    }
  }
});

test("an export says when its appcast is out of date, and one after that moment changes it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-export-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const newest = fixture.releases.find(({ mandatoryAfter }) => mandatoryAfter !== null);
  const deadline = Date.parse(newest?.mandatoryAfter ?? "");
  const outdatedAt = async (now: number) => {
    const result = await exportAt(now, folder);
    return result.kind === "foreign-folder" ? assert.fail() : result.outdatedAt;
  };
  const path = join(folder, `current/public/feeds/sparkle/${newest?.channel}/appcast.xml`);
  const isCritical = () =>
    readFileSync(path, "utf8")
      .split("</item>")
      .some((item) => item.includes(`>${newest?.version}<`) && item.includes("criticalUpdate"));
  assert.equal(await outdatedAt(deadline - 1), new Date(deadline).toISOString());
  assert.equal(isCritical(), false);
  assert.equal(await outdatedAt(deadline), null);
  assert.equal(isCritical(), true);
});

test("every published release is there, and no draft", () => {
  const files = new Set(exportedFiles());
  for (const { version, status } of fixture.releases) {
    const path = `/api/v1/releases/${version}`;
    assert.equal(files.has(`${path}/index.json`), status === "published");
    assert.equal(files.has(`${path}/downloads/index.json`), status === "published");
    assert.equal(files.has(`/feeds/files/${version}/index.json`), status === "published");
  }
});

test("_headers gives every path and every file the headers of the live response", async () => {
  const blocks = parseHeaders(readFileSync(join(tree, "public/_headers"), "utf8"));
  for (const file of exportedFiles()) {
    const address = addressOf(file);
    const { headers } = await live(address);
    const [path = ""] = address.split("?");
    for (const asked of [path, file]) {
      const given = headersFor(blocks, asked);
      for (const name of [
        "cache-control",
        "content-type",
        "access-control-allow-origin",
        "x-content-type-options",
        "strict-transport-security",
      ]) {
        assert.equal(given[name], headers.get(name), `${name} of ${asked}`);
      }
    }
  }
});

test("a plain static host serves the tree with the bodies, statuses and cache headers of the service", async () => {
  const host = createPlainHost(join(tree, "public"));
  const targets = [
    "/api/v1/manifest",
    "/api/v1/releases",
    "/api/v1/releases?channel=beta",
    "/api/v1/releases/latest",
    "/api/v1/releases/latest?channel=beta",
    "/api/v1/releases/1.2.3",
    "/api/v1/releases/1.2.3/downloads",
  ];
  for (const target of targets) {
    const response = await live(target);
    const given = host(target);
    assert.equal(given.status, response.status, target);
    assert.equal(given.body, await response.text(), target);
    assert.equal(given.headers["cache-control"], response.headers.get("Cache-Control"), target);
  }
  for (const file of exportedFiles().filter((name) => name.startsWith("/feeds/"))) {
    const target = addressOf(file);
    const response = await live(target);
    const given = host(target);
    assert.deepEqual([given.status, given.body], [response.status, await response.text()], target);
    for (const name of ["content-type", "cache-control"]) {
      assert.equal(given.headers[name], response.headers.get(name), `${name} of ${target}`);
    }
  }
  // Such a host cannot compare versions; Tauri does it itself.
  assert.equal(host("/feeds/tauri/stable/windows/x86_64/99.0.0").status, 200);
  for (const platform of ["android", "windows", "linux/x64", "macos/universal"]) {
    const target = `/api/v1/download/${platform}`;
    const given = host(target);
    const { status, headers } = await live(target);
    assert.deepEqual([given.status, given.headers["location"]], [status, headers.get("Location")]);
  }
  const legacy = await live("/download?platform=linux");
  const given = host("/download?platform=linux");
  assert.deepEqual(
    [given.status, given.headers["location"]],
    [legacy.status, legacy.headers.get("Location")],
  );
});
