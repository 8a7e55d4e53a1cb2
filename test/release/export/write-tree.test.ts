/** An export leaves other files alone, and readers never see an incomplete tree. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { exportRelease, type ExportOptions } from "../../../src/release/export/export-release.ts";
import { CatalogError } from "../../../src/release/catalog.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { ADDRESSES } from "./addresses.ts";

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "trellis-export-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function makeCatalog(context: TestContext, releases: number): Promise<string> {
  const fixture = await createCatalogFixture({ releases });
  context.after(() => fixture.remove());
  return fixture.folder;
}

function run(directory: string, catalog: string, options: Partial<ExportOptions> = {}) {
  const shared = {
    ...ADDRESSES,
    deployedAt: null,
    upstream: "http://127.0.0.1:4801",
    buildSite: null,
    now: Date.now(),
  };
  return exportRelease({ ...shared, directory, catalog, ...options });
}

test("an export of the same catalogue changes nothing", async (context) => {
  const directory = makeFolder(context);
  const catalog = await makeCatalog(context, 3);
  assert.equal((await run(directory, catalog)).kind, "written");
  const before = readlinkSync(join(directory, "current"));
  assert.equal((await run(directory, catalog)).kind, "unchanged");
  assert.equal(readlinkSync(join(directory, "current")), before);
});

test("the folder is made when it is missing", async (context) => {
  const directory = join(makeFolder(context), "a", "b");
  assert.equal((await run(directory, await makeCatalog(context, 1))).kind, "written");
  assert.ok(existsSync(join(directory, "current/public/api/v1/releases/latest/index.json")));
});

test("a folder with other files is left alone", async (context) => {
  const directory = makeFolder(context);
  const catalog = await makeCatalog(context, 1);
  writeFileSync(join(directory, "thesis.txt"), "mine");
  assert.equal((await run(directory, catalog)).kind, "foreign-folder");
  assert.deepEqual(readdirSync(directory), ["thesis.txt"]);
  assert.equal((await run(join(directory, "thesis.txt"), catalog)).kind, "foreign-folder");
  writeFileSync(join(directory, ".trellis-export.json"), "not a marker");
  assert.equal((await run(directory, catalog)).kind, "foreign-folder");
});

test("an invalid catalogue leaves the last export as it was", async (context) => {
  const directory = makeFolder(context);
  const catalog = await makeCatalog(context, 2);
  await run(directory, catalog);
  const before = readlinkSync(join(directory, "current"));
  writeFileSync(join(catalog, "releases/1.0.1.json"), "{");
  await assert.rejects(run(directory, catalog), CatalogError);
  assert.equal(readlinkSync(join(directory, "current")), before);
});

test("no two trees share the second from which a web server makes validators", async (context) => {
  const directory = makeFolder(context);
  const catalogs = [await makeCatalog(context, 1), await makeCatalog(context, 2)];
  const now = Date.now();
  const seconds = new Set<number>();
  for (const catalog of [...catalogs, ...catalogs, await makeCatalog(context, 3)]) {
    await run(directory, catalog, { now });
    const { mtimeMs } = statSync(join(directory, "current/public/api/v1/manifest/index.json"));
    seconds.add(Math.floor(mtimeMs / 1000));
  }
  // The first two are the same trees again.
  assert.equal(seconds.size, 3);
});

test("the rules of a tree name that tree, which stays until the next but one", async (context) => {
  const directory = makeFolder(context);
  const trees = () => readdirSync(join(directory, "trees")).length;
  const age = () => {
    const past = Date.now() / 1000 - 7200;
    for (const name of readdirSync(join(directory, "trees"))) {
      utimesSync(join(directory, "trees", name), past, past);
    }
  };
  await run(directory, await makeCatalog(context, 1));
  const first = realpathSync(join(directory, "current"));
  assert.ok(readFileSync(join(first, "nginx/api.conf"), "utf8").includes(`${first}/public`));
  mkdirSync(join(directory, "trees/draft-of-a-dead-export"));
  age();
  await run(directory, await makeCatalog(context, 2));
  assert.ok(existsSync(join(first, "public/api/v1/manifest/index.json")));
  assert.equal(trees(), 2);
  age();
  await run(directory, await makeCatalog(context, 3));
  assert.ok(!existsSync(first));
  assert.equal(trees(), 2);
});

test("the rules can name the folder's path on the web server", async (context) => {
  const directory = makeFolder(context);
  await run(directory, await makeCatalog(context, 1), { deployedAt: "/srv/releases" });
  const rules = readFileSync(join(directory, "current/nginx/api.conf"), "utf8");
  assert.match(rules, /root "\/srv\/releases\/trees\/[0-9a-f]{16}\/public";/);
});

test(
  "an export that is killed leaves a whole tree in place",
  { timeout: 180_000 },
  async (context) => {
    const home = makeFolder(context);
    const catalogs = [await makeCatalog(context, 40), await makeCatalog(context, 41)];
    for (let round = 0; round < 4; round++) {
      // Each round writes both trees again.
      const directory = join(home, String(round));
      const child = fork(
        join(import.meta.dirname, "export-in-a-loop.ts"),
        [directory, ...catalogs],
        { stdio: "ignore" },
      );
      await once(child, "message");
      await sleep(round * 11);
      child.kill("SIGKILL");
      await once(child, "exit");
      const tree = realpathSync(join(directory, "current"));
      const versions = globSync("public/api/v1/releases/*/downloads/index.json", { cwd: tree });
      const files = globSync("public/feeds/files/*/index.json", { cwd: tree });
      assert.ok(versions.length >= 40);
      assert.equal(versions.length, files.length);
      assert.ok(existsSync(join(tree, "public/_redirects")));
    }
  },
);
