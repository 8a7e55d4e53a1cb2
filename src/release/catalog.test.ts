import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import {
  createCatalogFixture,
  type CatalogFixture,
  type CatalogFixtureOptions,
} from "../../test/fixtures/catalog.ts";
import type { ManifestPayload, Release, ReleaseList } from "../contract/release/schemas.ts";
import { nodeFiles } from "./catalog/file-port.ts";
import { createCatalogReader } from "./catalog/read-catalog.ts";
import { loadCatalog, type CatalogNotice, type LiveCatalog } from "./catalog.ts";
import type { PreparedResponses } from "./responses/prepare-responses.ts";
import type { CatalogContext } from "./publishing/change-catalog.ts";
import { publishRelease } from "./publishing/publish-release.ts";
import { withdrawRelease } from "./publishing/withdraw-release.ts";

const noPassphrase = async () => undefined;

function contextOf({ folder, keysDir }: CatalogFixture): CatalogContext {
  return {
    folder,
    reader: createCatalogReader(folder),
    keysFolder: keysDir,
    files: nodeFiles,
    now: () => Date.now(),
    lockWaitMs: 5000,
  };
}

async function start(
  t: TestContext,
  options: CatalogFixtureOptions,
  notify: (notice: CatalogNotice) => void = () => {},
) {
  const fixture = await createCatalogFixture(options);
  const notices: CatalogNotice[] = [];
  const catalog = loadCatalog(fixture.folder, Date.now, (notice) => {
    notices.push(notice);
    notify(notice);
  });
  t.after(async () => {
    catalog.close();
    await fixture.remove();
  });
  return { fixture, catalog, notices };
}

/** What three responses of one instant say. */
function readState(responses: PreparedResponses) {
  const parse = (body: unknown): unknown => JSON.parse(String(body));
  const latest = parse(responses.latest.stable?.release.full.body) as Release;
  const list = parse(responses.list.stable.page(1, 100).full.body) as ReleaseList;
  const envelope = parse(responses.manifest?.full.body) as { payload: string };
  const payload = parse(Buffer.from(envelope.payload, "base64url")) as ManifestPayload;
  return {
    latest: latest.version,
    list: list.releases.map(({ version }) => version),
    manifest: payload.releases
      .filter(({ channel }) => channel === "stable")
      .map(({ version }) => version),
    sequence: payload.sequence,
  };
}

async function until(isDone: () => boolean, seconds = 8): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!isDone()) {
    assert.ok(performance.now() < deadline, `It did not happen within ${seconds} s`);
    await setTimeout(20);
  }
}

const latestOf = (catalog: LiveCatalog) => readState(catalog.responses()).latest;

test("before the catalogue is loaded there are no responses", async (t) => {
  const { catalog } = await start(t, { releases: 1 });
  assert.throws(() => catalog.responses(), /not loaded yet/);
  await catalog.ready;
  assert.equal(latestOf(catalog), "1.0.1");
});

test("a publication and a withdrawal are loaded as a whole within seconds", async (t) => {
  const { fixture, catalog, notices } = await start(t, { releases: 2, betaEvery: 0, drafts: 1 });
  await catalog.ready;
  const context = contextOf(fixture);
  assert.equal((await publishRelease(context, "1.0.3", undefined, noPassphrase)).kind, "done");
  await until(() => latestOf(catalog) === "1.0.3");
  const request = { version: "1.0.3", reason: "It lost data", replacedBy: "1.0.2" };
  const change = await withdrawRelease(context, request, noPassphrase);
  assert.equal(change.kind, "done", JSON.stringify(change));
  await until(() => latestOf(catalog) === "1.0.2");
  assert.deepEqual(readState(catalog.responses()).list, ["1.0.2", "1.0.1"]);
  assert.ok(
    notices.every(({ kind }) => kind === "catalog-loaded"),
    JSON.stringify(notices),
  );
});

test("an invalid change keeps the last valid catalogue and says why, and its repair is loaded", async (t) => {
  const { fixture, catalog, notices } = await start(t, { releases: 3, betaEvery: 0 });
  await catalog.ready;
  const before = catalog.responses();
  const file = join(fixture.folder, "releases", "1.0.3.json");
  await writeFile(file, '{"version": "1.0.3"');
  await until(() => notices.some(({ kind }) => kind === "catalog-refused"));
  const refused = notices.find(({ kind }) => kind === "catalog-refused");
  assert.ok(refused?.kind === "catalog-refused");
  assert.match(refused.errors.join("\n"), /releases\/1\.0\.3\.json is not valid JSON/);
  assert.equal(catalog.responses(), before);

  await writeFile(file, JSON.stringify(fixture.releases[0]));
  await until(() => catalog.responses() !== before);
  assert.equal(latestOf(catalog), "1.0.3");
});

test("a folder that is removed keeps the last valid catalogue until it is back", async (t) => {
  const { fixture, catalog, notices } = await start(t, { releases: 2, betaEvery: 0 });
  await catalog.ready;
  const away = `${fixture.folder}-away`;
  await rename(fixture.folder, away);
  await until(() => notices.at(-1)?.kind === "catalog-refused");
  assert.equal(latestOf(catalog), "1.0.2");
  await rm(join(away, "manifest.json"));
  await rename(away, fixture.folder);
  await until(() => catalog.responses().manifest === null);
});

test("a change that comes while the first load ends is not missed", async (t) => {
  const fixture = await createCatalogFixture({ releases: 3, betaEvery: 0, signed: false });
  const loads: number[] = [];
  const catalog = loadCatalog(fixture.folder, Date.now, (notice) => {
    // The files are read, so this change comes later.
    if (loads.length === 0) rmSync(join(fixture.folder, "releases", "1.0.3.json"));
    loads.push(notice.kind === "catalog-loaded" ? notice.releases : -1);
  });
  t.after(async () => {
    catalog.close();
    await fixture.remove();
  });
  await catalog.ready;
  await until(() => loads.length > 1);
  assert.deepEqual(loads.slice(0, 2), [3, 2]);
});

test("a listener that throws does not stop the catalogue from following its folder", async (t) => {
  const { fixture, catalog } = await start(t, { releases: 2, betaEvery: 0, drafts: 2 }, () => {
    throw new Error("listener");
  });
  await catalog.ready;
  for (const version of ["1.0.3", "1.0.4"]) {
    await publishRelease(contextOf(fixture), version, undefined, noPassphrase);
    await until(() => latestOf(catalog) === version);
  }
});

test("many publications in a row never show a mixture of two states", async (t) => {
  const { fixture, catalog, notices } = await start(t, { releases: 3, drafts: 8, betaEvery: 0 });
  await catalog.ready;
  const publishing = { isDone: false };
  const seen = new Set<string>();
  let previous = 0;
  const observation = (async () => {
    while (!publishing.isDone || latestOf(catalog) !== "1.1.1") {
      const state = readState(catalog.responses());
      assert.equal(state.latest, state.list[0]);
      assert.deepEqual(state.list, state.manifest);
      assert.ok(state.sequence >= previous, "the sequence went back");
      previous = state.sequence;
      seen.add(state.latest);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (const version of ["1.0.4", "1.0.5", "1.0.6", "1.0.7", "1.0.8", "1.0.9", "1.1.0", "1.1.1"]) {
    const change = await publishRelease(contextOf(fixture), version, undefined, noPassphrase);
    assert.equal(change.kind, "done", JSON.stringify(change));
    await setTimeout(150);
  }
  publishing.isDone = true;
  await observation;
  assert.ok(seen.size > 1);
  for (const notice of notices) {
    assert.equal(notice.kind, "catalog-loaded");
    assert.deepEqual(notice.kind === "catalog-loaded" && notice.warnings, []);
  }
});

/** Longer than a reload: the watcher's wait after a change, and the load of a small catalogue. */
const RELOAD_MS = 600;

test("after close a change of the folder is not loaded", async (t) => {
  const { fixture, catalog, notices } = await start(t, { releases: 2, betaEvery: 0, drafts: 1 });
  await catalog.ready;
  catalog.close();
  await publishRelease(contextOf(fixture), "1.0.3", undefined, noPassphrase);
  await setTimeout(RELOAD_MS);
  assert.equal(latestOf(catalog), "1.0.2");
  assert.equal(notices.length, 1);
});

test("closed during the first load, it finishes that load and loads no later change", async (t) => {
  const { fixture, catalog, notices } = await start(t, { releases: 2, betaEvery: 0, drafts: 1 });
  catalog.close();
  await catalog.ready;
  assert.equal(latestOf(catalog), "1.0.2");
  await publishRelease(contextOf(fixture), "1.0.3", undefined, noPassphrase);
  await setTimeout(RELOAD_MS);
  assert.equal(latestOf(catalog), "1.0.2");
  assert.equal(notices.length, 1);
});

test("a program that closed its service exits", async (t) => {
  const { fixture } = await start(t, { releases: 1 });
  const module = new URL("service.ts", import.meta.url).href;
  const code = `
    const { createReleaseService } = await import(${JSON.stringify(module)});
    const service = createReleaseService({
      catalog: ${JSON.stringify(fixture.folder)},
      baseUrl: "http://localhost:1",
      smartDownloadUrl: "http://localhost:2",
      websiteDownloadUrl: "http://localhost:3/",
      rateLimit: { requests: 1, windowSeconds: 3600 },
    });
    const response = await service.fetch(new Request("http://localhost:1/health"));
    await service.close();
    process.stdout.write(String(response.status));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 60_000,
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [exitCode] = (await once(child, "close")) as [number | null];
  assert.equal(printed, "200");
  assert.equal(exitCode, 0);
});
