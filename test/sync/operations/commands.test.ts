/** The commands of an operator, beside a running server where they allow it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openServiceStore } from "../../../src/identity/open-service-store.ts";
import type { BackupState } from "../../../src/backup/backup-state.ts";
import { openSyncStore, SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { openHighWaterFile } from "../../../src/sync/sql/high-water.ts";
import { readSyncStatus } from "../../../src/sync/maintenance/read-status.ts";
import { quickStart } from "../../fixtures/quick-start.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis, startTrellis, type Ending } from "../../fixtures/run-trellis.ts";
import { nodeProgram } from "../../fixtures/trellis-program.ts";
import { runTrellis as startService, type TrellisProcess } from "../../service/start-trellis.ts";
import { addSyncAccount } from "../add-account.ts";
import { postJson, signIn, type Ask } from "../sync-client.ts";
import { pushTo } from "./device.ts";
import { createPlace, testOnBothStores, type SyncPlace } from "./on-both-stores.ts";
import { openInstanceKey } from "../../../src/identity/instance-key.ts";
import {
  expectCheckedByPassphrase,
  expectNotAuthentic,
  expectUnauthenticated,
} from "../../database/expect-unauthenticated.ts";

const PASSWORD = "correct horse battery";
const REDIRECT = "http://localhost:43823/callback";

interface Instance {
  readonly place: SyncPlace;
  readonly configPath: string;
  readonly settings: { readonly store: string; readonly instanceKeyFile: string };
  /** In this process; file names are relative to the instance's folder. */
  run(words: string, input?: string): Promise<Ending>;
  /** In a separate process. */
  runApart(words: string, input?: string): Promise<Ending>;
  /** Expects success, and returns the output of --json. */
  ask<T = Readonly<Record<string, unknown>>>(words: string, input?: string): Promise<T>;
  serve(): Promise<{ readonly ask: Ask; readonly process: TrellisProcess }>;
}

async function createInstance(t: TestContext, place: SyncPlace): Promise<Instance> {
  const configPath = join(place.folder, "trellis.config.json");
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 });
  const settings = {
    listen: { port: 0 },
    store: place.store,
    profile: "open",
    instanceKeyFile: join(place.dataDir, "instance.key"),
  };
  await writeFile(configPath, JSON.stringify({ dataDir: place.dataDir, sync: settings }));
  const run = (words: string, input = "") => {
    const isFile = (word: string) => /^[\w.-]+\.(backup|json)$/.test(word);
    const named = words.split(" ").map((word) => (isFile(word) ? join(place.folder, word) : word));
    return runInside(place.folder, ["sync", ...named], { input });
  };
  const runApart = (words: string, input = "") =>
    runTrellis(place.folder, ["sync", ...words.split(" ")], { input });
  return {
    place,
    configPath,
    settings,
    run,
    runApart,
    async ask<T>(words: string, input?: string) {
      const { code, stdout, stderr } = await run(`${words} --json`, input);
      assert.equal(code, 0, stdout + stderr);
      return JSON.parse(stdout) as T;
    },
    async serve() {
      const process = startService(t, ["serve", "--config", configPath]);
      const line = await process.line((text) => text.startsWith('{"event":"ready"'));
      const { sync } = JSON.parse(line) as { sync: string };
      return { process, ask: (path, init) => fetch(`${sync}${path}`, init) };
    },
  };
}

const note = (sequence: number, title = "a note") =>
  createOperation({
    deviceId: "phone",
    sequence,
    entityId: `note/${sequence}`,
    payload: { title },
  });

testOnBothStores("every command works beside a running server", async (place, t) => {
  const instance = await createInstance(t, place);
  const refused = await instance.runApart(
    "account create --username ada --password-stdin",
    "short\n",
  );
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^The password is too short: use at least 12 characters\n$/);
  await (await openSyncStore(place.store, place.dataDir)).close();
  assert.match((await instance.run("status")).stdout, /Account +none: run `trellis sync account/);
  const missing = await instance.run("account password --password-stdin", PASSWORD);
  assert.match(missing.stderr, /There is no account yet: create it with/);
  assert.match((await instance.run("sign-in-link")).stderr, /There is no account yet: create it/);
  await instance.ask("account create --username ada --password-stdin", `${PASSWORD}\r\nmore`);
  const twice = await instance.run("account create --username eve --password-stdin", PASSWORD);
  assert.match(twice.stderr, /This instance already has an account/);
  assert.equal((await instance.run("account password")).code, 2);

  const server = await instance.serve();
  const signing = { username: "ada", password: PASSWORD, redirectUri: REDIRECT };
  const phone = await signIn(server.ask, { ...signing, deviceId: "phone" });
  const laptop = await signIn(server.ask, { ...signing, deviceId: "laptop" });
  const headers = { Authorization: `Bearer ${phone.accessToken}` };
  const operations = [note(1), note(2), createOperation({ ...PATCH, sequence: 3 })];
  const pushed = await postJson(server.ask, "/v1/push", { operations }, headers);
  assert.equal(pushed.status, 200, await pushed.text());

  const made = await instance.ask("sign-in-link");
  const [address, link] = String(made["url"]).split("#");
  assert.deepEqual([address, made["username"]], ["http://localhost:4811/sign-in-link", "ada"]);
  const minutes = (Date.parse(String(made["expiresAt"])) - Date.now()) / 60_000;
  assert.ok(minutes > 9 && minutes <= 10);
  assert.equal((await postJson(server.ask, "/sign-in-link", { link })).status, 200);
  assert.equal((await postJson(server.ask, "/sign-in-link", { link })).status, 401);
  const printed = (await instance.run("sign-in-link")).stdout;
  assert.match(printed, /^http:\/\/localhost:4811\/sign-in-link#[\w-]{43}\n/);
  assert.match(
    (await instance.run("status")).stdout,
    /2 sign-in links made.*\n.*1 sign-in link used/,
  );

  const { devices } = await instance.ask<{ devices: { deviceId: string }[] }>("devices list");
  assert.deepEqual(devices.map(({ deviceId }) => deviceId).sort(), ["laptop", "phone"]);
  assert.equal((await instance.run("devices revoke unknown")).code, 1);
  assert.equal((await instance.run("devices revoke phone --all")).code, 2);
  const unconfirmed = await instance.run("devices revoke phone");
  assert.match(unconfirmed.stderr, /^This signs out "phone": .+ add --yes to confirm$/m);
  const { plan } = await instance.ask("devices revoke --all --dry-run");
  assert.equal((plan as { devices: unknown[] }).devices.length, 2);
  assert.equal((await server.ask("/v1/device", { headers })).status, 200);
  assert.deepEqual(await instance.ask("devices revoke phone --yes"), { revoked: 1 });
  assert.equal((await server.ask("/v1/device", { headers })).status, 401);
  const everywhere = await instance.run("devices revoke --all --yes");
  assert.equal(everywhere.stdout, "Signed out 1 device and all browsers\n");

  assert.match((await instance.run("compact --dry-run")).stdout, /nothing was changed$/m);
  assert.deepEqual(
    await instance.ask("compact").then(({ examined, removed }) => [examined, removed]),
    [3, 0],
  );
  const backup = await instance.ask("backup one.backup");
  assert.equal(backup["headOffset"], 3);
  const { backups } = await instance.ask<{ backups: BackupState }>("status");
  assert.equal(backups.last?.place, join(place.folder, "one.backup"));
  assert.match((await instance.run("status")).stdout, /one\.backup \(up to date\)$/m);
  assert.match((await instance.run("backup one.backup")).stderr, /already a file/);
  assert.match(
    (await instance.run("verify one.backup")).stdout,
    /one\.backup is complete and authentic/,
  );
  await instance.ask("export live.json");
  const live = JSON.parse(await readFile(join(place.folder, "live.json"), "utf8")) as object;
  assert.deepEqual({ ...live, exportedAt: "" }, { ...EXPORTED, exportedAt: "" });

  const during = await instance.runApart("restore one.backup --yes");
  assert.equal(during.code, 1);
  assert.match(during.stderr, /^The store is in use: stop `trellis serve`/);
  assert.equal((await server.ask("/v1/health")).status, 200);

  await instance.ask("account password --password-stdin", "another password entirely");
  const gone = { Authorization: `Bearer ${laptop.accessToken}` };
  assert.equal((await server.ask("/v1/device", { headers: gone })).status, 401);
  await assert.rejects(
    signIn(server.ask, { ...signing, deviceId: "laptop" }),
    /complete returned 401/,
  );
  server.process.child.kill("SIGTERM");
  assert.equal((await server.process.ended).code, 0);
  assert.ok(server.process.stdout().includes('"event":"sign_in_link_used"'));
  assert.ok(!server.process.stdout().includes(link ?? "missing"));

  const unsaid = await instance.runApart("restore one.backup");
  assert.equal(unsaid.code, 1);
  assert.match(unsaid.stderr, /^This replaces 2 entities with 2 from .+ add --yes to confirm$/m);
  const restored = await instance.ask("restore one.backup --yes");
  assert.deepEqual([restored["account"], restored["isPasswordUsable"]], ["kept", true]);
  assert.ok((await stat(String(restored["keptAt"]))).size > 0);
});

const PATCH = {
  kind: "patch",
  deviceId: "phone",
  entityId: "note/1",
  payload: { title: "changed" },
} as const;

const EXPORTED = {
  schemaVersion: 1,
  entities: [
    { entityId: "note/1", payload: { title: "changed" }, metadata: {} },
    { entityId: "note/2", payload: { title: "a note" }, metadata: {} },
  ],
};

test("a new machine needs only a backup with its key", async (t) => {
  const old = await createInstance(t, await createPlace(t, "SQLite"));
  const store = await openServiceStore(SYNC_STORE, old.settings, old.place.dataDir);
  await addSyncAccount(store, store.instanceKey, { username: "ada", password: PASSWORD });
  await pushTo(store, [note(1)]);
  await store.close();
  const weak = await old.run("backup weak.backup --with-key --passphrase-stdin", "weak");
  assert.match(weak.stderr, /passphrase is too short/);
  await old.ask("backup with.backup --with-key --passphrase-stdin", "twelve letters");
  await old.ask("backup without.backup");
  const at = (name: string) => join(old.place.folder, name);
  await expectNotAuthentic(old, at("without.backup"));

  const wrong = await createInstance(t, await createPlace(t, "SQLite"));
  const failed = await wrong.run(
    `restore ${at("with.backup")} --with-key --passphrase-stdin --yes`,
    "twelve wrong letters",
  );
  assert.match(failed.stderr, /passphrase does not decrypt/);
  const keyless = await wrong.run(
    `restore ${at("without.backup")} --with-key --passphrase-stdin --yes`,
    "twelve letters",
  );
  assert.match(keyless.stderr, /does not include the instance key/);

  await expectCheckedByPassphrase(wrong, at("with.backup"), "twelve letters");
  const moved = await wrong.ask(
    `restore ${at("with.backup")} --with-key --passphrase-stdin --yes`,
    "twelve letters",
  );
  assert.deepEqual([moved["account"], moved["isPasswordUsable"]], ["restored", true]);
  const server = await wrong.serve();
  const signing = { username: "ada", password: PASSWORD, redirectUri: REDIRECT };
  await signIn(server.ask, { ...signing, deviceId: "phone" });

  const bare = await createInstance(t, await createPlace(t, "SQLite"));
  await expectUnauthenticated(bare, at("without.backup"));
  const without = await bare.run(`restore ${at("without.backup")} --accept-unauthenticated --yes`);
  assert.match(without.stdout, /^The authenticity of the backup was not checked: .+ password of/m);
  assert.match(without.stdout, /encrypted with another instance key: set a new one/);
  await bare.ask("account password --password-stdin", "another password entirely");
  const taken = await bare.run(
    `restore ${at("with.backup")} --with-key --passphrase-stdin --yes`,
    "twelve letters",
  );
  assert.match(taken.stderr, /There is another instance key/);
});

test("a backup without an instance key is called what it is, and creates none", async (t) => {
  const { place, run } = await createInstance(t, await createPlace(t, "SQLite"));
  await (await openSyncStore(place.store, place.dataDir)).close();
  const written = await run("backup bare.backup");
  assert.match(written.stdout, /Authentic +not checked: it was written without an instance key/);
  const verified = await run("verify bare.backup");
  assert.match(verified.stdout, /bare\.backup is complete, authenticity not checked$/m);
  assert.ok(!(await readdir(place.dataDir)).includes("instance.key"));
  const refused = await run("restore bare.backup --yes");
  assert.match(refused.stderr, /written without an instance key.+--accept-unauthenticated/s);
});

test("several backups are verified, and one that is not valid hides none of the others", async (t) => {
  const { place, run, ask } = await createInstance(t, await createPlace(t, "SQLite"));
  await (await openSyncStore(place.store, place.dataDir)).close();
  for (const name of ["a", "b"]) await ask(`backup ${name}.backup`);
  const all = await ask<{ files: { file: string }[] }>("verify a.backup b.backup");
  assert.deepEqual(
    all.files.map(({ file }) => file),
    ["a.backup", "b.backup"].map((name) => join(place.folder, name)),
  );
  await writeFile(join(place.folder, "torn.backup"), "no backup");
  const missing = await run("verify missing.backup");
  assert.match(missing.stderr, /missing\.backup: The backup is not valid.+no such file/);
  const broken = await run("verify torn.backup missing.backup b.backup");
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /b\.backup is complete/);
  assert.match(broken.stderr, /torn\.backup: The backup is not valid.+missing\.backup: /s);
  assert.match(broken.stderr, /^2 of 3 backups could not be verified$/m);
  const { code, stdout } = await run("verify torn.backup b.backup --json");
  const { files } = JSON.parse(stdout) as { files: { error?: string }[] };
  assert.deepEqual([code, files.map(({ error }) => error !== undefined)], [1, [true, false]]);

  // A bug that one file meets hides none of the others either.
  const examine = t.mock.method(SYNC_STORE.examiner, "examine");
  examine.mock.mockImplementationOnce(() => Promise.reject(new TypeError("not a function")));
  const unexpected = await run("verify a.backup b.backup");
  assert.equal(unexpected.code, 1);
  assert.match(unexpected.stdout, /b\.backup is complete/);
  assert.match(unexpected.stderr, /a\.backup: An unexpected error.+bug.+not a function/);
  assert.match(unexpected.stderr, /^1 of 2 backups could not be verified$/m);
});

test("a full disk leaves no partial backup or export", async (t) => {
  const { place, configPath } = await createInstance(t, await createPlace(t, "SQLite"));
  const store = await place.open();
  const noise = () => Array.from({ length: 4000 }, () => Math.random().toString(36)).join("");
  for (let sequence = 1; sequence <= 12; sequence++) {
    await pushTo(store, [note(sequence, noise().slice(0, 30_000))]);
  }
  await store.close();
  for (const words of ["backup full.backup", "export full.json"]) {
    // No file may grow beyond 128 KiB.
    const { status, stderr } = spawnSync(
      "sh",
      [
        "-c",
        `trap '' XFSZ; ulimit -f 256; exec "$@" sync ${words} --config "$0"`,
        configPath,
        ...nodeProgram(),
      ],
      { cwd: place.folder, encoding: "utf8", env: { PATH: process.env["PATH"], ...quickStart() } },
    );
    assert.equal(status, 1, stderr);
    assert.match(stderr, /no part of it was kept: the file would be too large/);
    const left = (await readdir(place.folder)).sort();
    assert.deepEqual(left, ["data", "trellis.config.json"]);
  }
});

testOnBothStores(
  "a killed backup leaves no file, and a killed restore the old store or the new one",
  async (place, t) => {
    const instance = await createInstance(t, place);
    openInstanceKey(join(place.dataDir, "instance.key"));
    const store = await place.open();
    for (let batch = 0; batch < 20; batch++) {
      await pushTo(
        store,
        Array.from({ length: 100 }, (_, index) => note(batch * 100 + index + 1)),
      );
    }
    await store.close();
    const path = join(place.folder, "good.backup");
    const run = (words: readonly string[]) => startTrellis(place.folder, ["sync", ...words]);
    const restore = ["restore", path, "--yes"];
    const backupMs = await timeOf(run(["backup", path]).ending);
    const restoreMs = await timeOf(run(restore).ending);

    for (const part of [0.6, 0.9]) {
      const writing = run(["backup", `${part}.backup`]);
      await wait(backupMs * part);
      writing.child.kill("SIGKILL");
      await writing.ending;
      const names = await readdir(place.folder);
      if (names.includes(`${part}.backup`)) await instance.ask(`verify ${part}.backup`);

      const changed = await place.open();
      await pushTo(changed, [note(2001)]);
      await changed.close();
      const restoring = run(restore);
      await wait(restoreMs * part);
      restoring.child.kill("SIGKILL");
      await restoring.ending;
      const found = await place.open();
      const { entities, operations, ledger } = await readSyncStatus(found.database);
      assert.ok([2000, 2001].includes(entities.live), String(entities.live));
      assert.deepEqual([operations, ledger], [entities.live, entities.live]);
      await found.close();
    }
    await instance.ask(`restore ${path} --yes`);
    const last = await place.open();
    assert.equal((await readSyncStatus(last.database)).entities.live, 2000);
  },
);

async function timeOf(ending: Promise<Ending>): Promise<number> {
  const begun = performance.now();
  const { code, stderr } = await ending;
  assert.equal(code, 0, stderr);
  return performance.now() - begun;
}

testOnBothStores("a command that only reads begins no generation", async (place, t) => {
  const instance = await createInstance(t, place);
  await (await openSyncStore(place.store, place.dataDir)).close();
  const path = join(place.dataDir, SYNC_STORE.highWaterFile);
  const highWater = openHighWaterFile(path);
  const mark = highWater.read();
  assert.ok(mark !== null);
  // As if the store was rolled back to before a revocation.
  highWater.write({ ...mark, headOffset: mark.headOffset + 5 });
  highWater.writeSessionEpoch(5);
  highWater.close();
  const text = await readFile(path, "utf8");
  const readGeneration = async () => (await instance.ask("status"))["generation"];
  const generation = await readGeneration();
  for (const words of ["status", "devices list", "export one.json", "backup one.backup"]) {
    const { code, stderr } = await instance.run(words);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /a new generation begins with the next start/);
    assert.match(stderr, /every device is revoked with the next start/);
    assert.equal(await readFile(path, "utf8"), text, words);
  }
  assert.equal(await readGeneration(), generation);
  const { stderr } = await instance.run("compact");
  assert.match(stderr, /a new generation began[^]+every device was revoked/);
  assert.notEqual(await readGeneration(), generation);
});
