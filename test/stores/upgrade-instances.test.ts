/** The stores of all instances are upgraded, and what was done is told for each. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabase } from "../../src/database/open-database.ts";
import { createLineWriter } from "../../src/http/request-log.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { checkConfiguration } from "../../src/configuration/configuration.ts";
import { labelLog, logHostNotice } from "../../src/hosting/instance-log.ts";
import { resolveInstance, toHostConfiguration } from "../../src/configuration/instance.ts";
import { prepareInstance } from "../../src/hosting/instance-rows.ts";
import { startSyncHost } from "../../src/hosting/sync-host.ts";
import { SYNC_SCHEMA } from "../../src/sync/sql/open-sql-store.ts";
import { STORE_KINDS } from "../database/on-both-stores.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { addAccount, askOf, createHostPlace, originOf, PASSWORD } from "../sync/host/serve-host.ts";
import { addLaterMigration } from "./later-migration.ts";
import { makeNewer, migrateTo, RELEASED_SCHEMAS } from "./released-schemas.ts";
import { listStoreCommands } from "./store-commands.ts";

const NAMES = ["ada", "bob"];

for (const kind of STORE_KINDS) {
  test(`the stores of all instances are upgraded (${kind})`, async (t) => {
    const { dataDir, store } = await createHostPlace(t, kind);
    const instances = Object.fromEntries(
      [...NAMES, "unused"].map((name) => [name, { baseUrl: originOf(name) }]),
    );
    const settings = { dataDir, sync: { instances, ...(store !== undefined && { store }) } };
    await writeFile(join(dataDir, "trellis.config.json"), JSON.stringify(settings));
    const { sync } = checkConfiguration(settings, "of the test");
    assert.ok(sync !== undefined);
    const [oldest] = RELEASED_SCHEMAS;
    assert.ok(oldest !== undefined);
    for (const name of NAMES) {
      const instance = resolveInstance(name, { baseUrl: originOf(name) }, sync, dataDir);
      await mkdir(instance.dataDir, { recursive: true, mode: 0o700 });
      await prepareInstance(instance, sync.store);
      const database = await openDatabase(instance.sync.store);
      await migrateTo(database, oldest.last, SYNC_SCHEMA, instance.dataDir);
      await database.close();
      openInstanceKey(instance.sync.instanceKeyFile);
    }
    await addLaterMigration(t, ["identity", "sync"]);
    const lines: string[] = [];
    const log = createLineWriter((line) => void lines.push(line));
    const start = () =>
      startSyncHost({
        ...toHostConfiguration(sync, dataDir),
        instances,
        createsFolders: true,
        trustedProxies: [],
        streamIdleTimeoutMs: 1000,
        log: () => undefined,
        onNotice: (notice, name) => logHostNotice(labelLog(log, name), notice),
      });
    const askAll = async () => {
      const host = start();
      try {
        // A path that needs the store, and no sign-in.
        const path = "/owner/export.json";
        const responses = await Promise.all(NAMES.map((name) => askOf(host, name)(path)));
        return responses.map(({ status }) => status);
      } finally {
        await host.close();
      }
    };
    const status = await runInside(dataDir, ["sync", "status", "--instance", "ada"]);
    assert.match(
      status.stderr,
      /^The sync store is of version \S+ \(build \w+\) and needs \d+ migrations of this version \([^)]*\): stop [^\n]*`trellis store migrate`\n$/,
    );
    if (kind === "SQLite") {
      assert.deepEqual(await askAll(), [303, 303]);
      const copied = lines.filter((line) => line.includes('"store_copied"'));
      assert.equal(copied.length, 2, lines.join(""));
      assert.match(copied.sort().join(""), /"instance":"(ada|bob)"/);
      return;
    }
    assert.deepEqual(await askAll(), [503, 503]);
    assert.match(lines.join(""), /"UpgradeNeededError".*trellis store migrate/);
    const run = (...words: string[]) => runInside(dataDir, ["store", "migrate", ...words]);
    const unconfirmed = await run();
    assert.match(unconfirmed.stderr, /^This applies 2 migrations to the sync store; it must be/);
    const migrated = await run("--yes");
    assert.equal(migrated.code, 0, migrated.stderr);
    // All instances have the same tables.
    assert.match(migrated.stdout, /^Applied to the sync store: .*900-later/);
    assert.match((await run()).stdout, /^The sync store is up to date\n/);
    assert.deepEqual(await askAll(), [303, 303]);
  });
}

for (const kind of STORE_KINDS) {
  test(`every command refuses the newer store of an instance with one sentence (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    const { dataDir, store } = place;
    const instances = Object.fromEntries(NAMES.map((name) => [name, { baseUrl: originOf(name) }]));
    const settings = { dataDir, sync: { instances, ...(store !== undefined && { store }) } };
    await writeFile(join(dataDir, "trellis.config.json"), JSON.stringify(settings));
    for (const name of NAMES) await addAccount(place, name);
    const run = (words: string) => runInside(dataDir, words.split(" "), { input: PASSWORD });
    const backup = await run(`sync backup ${dataDir}/sync-old.backup --instance ada`);
    assert.equal(backup.code, 0, backup.stderr);
    const { sync } = checkConfiguration(settings, "of the test");
    assert.ok(sync !== undefined);
    const ada = resolveInstance("ada", { baseUrl: originOf("ada") }, sync, dataDir);
    await makeNewer(ada.sync.store, ["sync"]);
    const ofOne = listStoreCommands()
      .filter((command) => command.startsWith("sync ") || command.startsWith("store copy"))
      .map((command) => `${command} --instance ada`);
    const isFile = kind === "SQLite";
    for (const command of [...ofOne, "store migrate --yes"]) {
      const words = command.replaceAll("FOLDER", dataDir).replaceAll("STORE", ada.sync.store);
      const { code, stderr } = await run(words);
      assert.equal(code, 1, `${command}: ${stderr}`);
      assert.match(
        stderr,
        /^(The instance "ada": )?The store is newer than this program: version 9\.9\.9 \(build 0f0f0f0f\) applied migration "999-future"[^\n]*\n$/,
        command,
      );
      if (!command.includes("--instance") && isFile) assert.match(stderr, /^The instance "ada": /);
    }
    // One that cannot be read does not hide the others.
    const list = await run("sync instance list --fresh");
    assert.match(list.stdout, /ada: The store is newer than this program/);
    const doctor = await run("doctor");
    assert.match(
      doctor.stdout,
      /^ERROR +(?:instance ada|2 instances), sync store: The store is newer/m,
    );
    if (!isFile) return;
    const other = await run("sync status --instance bob");
    assert.equal(other.code, 0, other.stderr);
  });
}
