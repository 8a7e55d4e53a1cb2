/** The program of the guide to storages, as written: its tests run here, on the storage of the guide. */
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  createSyncClient,
  type SyncClientOptions,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { createStorageCases } from "../../../storage-contract/index.ts";
import { loadGuideModule } from "../../fixtures/load-guide-module.ts";

interface Guide {
  openFileStorage(path: string): Promise<SyncStorage>;
  readonly tests: readonly { readonly name: string; run(): Promise<void> }[];
}

let path: string;
let guide: Guide;
const cleanUps: (() => Promise<void>)[] = [];

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-storage-guide-"));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, "habits.records");
  const context = { after: (run: () => Promise<void>) => void cleanUps.push(run) };
  guide = await loadGuideModule<Guide>(context, "write-a-storage.md", (code) => {
    assert.ok(code.includes("for (const { name, run } of createStorageCases(harness)) test("));
    assert.ok(code.includes('"habits.records"'));
    return code
      .replace('"habits.records"', JSON.stringify(path))
      .replace('import { test } from "node:test";', COLLECT_TESTS);
  });
});
after(async () => {
  for (const run of cleanUps) await run();
});

test("the tests of the guide pass", async (t) => {
  assert.ok(guide.tests.length > 0);
  for (const { name, run } of guide.tests) await t.test(name, run);
});

/** Runs the tests of the guide in a test of this file. */
const COLLECT_TESTS = `
  export const tests = [];
  const test = (name, run) => tests.push({ name, run });`;

const OPTIONS: Omit<SyncClientOptions, "storage"> = {
  baseUrl: "https://sync.example.com",
  redirectUri: "https://app.example.com/callback",
  setTimer: () => () => {},
};

const readTheme = async () => {
  const client = await createSyncClient({ ...OPTIONS, storage: await guide.openFileStorage(path) });
  const theme = client.entities.get("setting/theme")?.payload;
  await client.close();
  return theme;
};

test("the guide's client has stored its edit for good, where no other user may read it", async () => {
  assert.deepEqual(await readTheme(), { value: "dark" });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("the guide's storage passes over a line that was cut off", async () => {
  await appendFile(path, '[["entity/setting/theme","half of a te');
  assert.deepEqual(await readTheme(), { value: "dark" });
  assert.ok((await readFile(path, "utf8")).endsWith("]\n"));
});

test("the guide's storage runs every case but those of sharing", () => {
  const createPlace = async () => ({
    open: () => guide.openFileStorage(path),
    remove: async () => {},
  });
  const all = createStorageCases({ createPlace, isShared: true }).length;
  const own = createStorageCases({ createPlace }).length;
  assert.ok(own < all && own >= 12, `${own} of ${all}`);
});
