/** Moving an instance, also by a command that is interrupted. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import type { Lease } from "../../../src/database/lease-mode.ts";
import { takeLease } from "../../../src/database/lease.ts";
import { addInstance } from "../../../src/database/named-instance.ts";
import { useDatabase } from "../../../src/database/open-database.ts";
import { registryPath } from "../../../src/configuration/instance-registry.ts";
import { runTrellis } from "../../service/start-trellis.ts";
import { signIn } from "../sync-client.ts";
import { createServer, until } from "./instance-commands.ts";
import { bearer, createHostPlace, originOf, signInOptions, type HostPlace } from "./serve-host.ts";

test("an instance moves to the folder of another server", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const first = await createServer(t, place);
  await first.ask(`instance add ada --base-url ${originOf("ada")}`);
  await first.addAccount("ada");
  const second = join(place.dataDir, "second");
  await mkdir(second);
  await first.ask(`instance move ada --to-data-dir ${join(second, "data")}`);
  const { instances } = await first.ask<{ instances: unknown[] }>("instance list");
  assert.deepEqual(instances, []);
  const other = await createServer(t, { ...place, dataDir: second });
  const { account } = await other.ask<{ account: { username: string } }>("status --instance ada");
  assert.equal(account.username, "anna");
});

test("an interrupted move is finished by the same command", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const server = await createServer(t, place);
  const { ask, fails, dataDir, config } = server;
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await server.addAccount("ada");
  const { askAt } = await server.serve();
  const ada = askAt("ada.example.com");
  const { accessToken } = await signIn(ada, signInOptions());
  const read = async () => (await ada("/v1/device", { headers: bearer(accessToken) })).status;
  assert.equal(await read(), 200);

  const words = ["sync", "instance", "move", "ada", "--rename", "countess", "--config", config];
  const interrupted = runTrellis(t, words);
  await until(async () => (await readFile(registryPath(dataDir), "utf8")).includes('"suspended":'));
  // While another command changes the registry, this one waits for it with the folder moved.
  const lock = await lockRegistry(dataDir);
  const folder = (name: string) => join(dataDir, "instances", name);
  await until(async () => existsSync(folder("countess")));
  interrupted.child.kill("SIGKILL");
  await interrupted.ended;
  await lock.release();

  assert.equal(await read(), 503);
  await fails("instance move ada --rename eve", /does not exist.*run the same command/);
  const { suspended } = await ask<{ suspended: boolean }>("instance move ada --rename countess");
  assert.equal(suspended, true);
  await ask("instance resume countess");
  await until(async () => (await read()) === 200);
  const files = await readdir(folder("countess"));
  assert.deepEqual([files.includes("sync.highwater"), files.includes("move.json")], [true, false]);
});

test("a rename that is interrupted in a database leaves one name, and the same command finishes it", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const server = await createServer(t, place);
  const { ask, config } = server;
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await server.addAccount("ada");
  const words = ["sync", "instance", "move", "ada", "--rename", "countess", "--config", config];
  const interrupted = runTrellis(t, words);
  await until(async () => (await readSettings(place)).includes('"suspended":'));
  const lock = await lockRow(place.store ?? "");
  await until(() => isWaitedFor(place));
  interrupted.child.kill("SIGKILL");
  await interrupted.ended;
  await lock.release();
  const { suspended } = await ask<{ suspended: boolean }>("instance move ada --rename countess");
  assert.equal(suspended, true);
  await ask("instance resume countess");
  const { account } = await ask<{ account: { username: string } }>("status --instance countess");
  assert.equal(account.username, "anna");
});

test("an instance of the database that is in the way of a new name is named before anything moves", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const { ask, fails, dataDir, ...server } = await createServer(t, place);
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await server.addAccount("ada");
  await addInstance(place.store ?? "", "countess");
  await fails("instance move ada --rename countess", /already has rows of an instance "countess"/);
  assert.ok(existsSync(join(dataDir, "instances", "ada")));
});

test("the folder of another instance is not taken for one that was moved", async (t) => {
  const { ask, fails, dataDir, ...server } = await createServer(
    t,
    await createHostPlace(t, "SQLite"),
  );
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await server.addAccount("ada");
  const other = join(dataDir, "instances", "countess");
  await mkdir(other);
  const move = { from: join(dataDir, "instances", "eve"), to: other };
  await writeFile(join(other, "move.json"), `${JSON.stringify(move)}\n`);
  await fails("instance move ada --rename countess", /already a folder.*move it away first/);
  await ask("status --instance ada");
});

/** What the registry has, as a text. */
function readSettings({ store = "" }: HostPlace): Promise<string> {
  return useDatabase(store, {}, async (database) =>
    JSON.stringify(await database.query("SELECT settings FROM trellis_instances")).replaceAll(
      "\\",
      "",
    ),
  );
}

/** Whether a statement waits for a lock. */
function isWaitedFor({ store = "" }: HostPlace): Promise<boolean> {
  return useDatabase(store, {}, async (database) => {
    const rows = await database.query(
      "SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
}

/** The command that has just changed the registry may still have the lock. */
async function lockRegistry(dataDir: string): Promise<Pick<Lease, "release">> {
  const path = `sqlite:${registryPath(dataDir)}`;
  let lock = await takeLease(path, "instances", "exclusive");
  while (lock === null) {
    await wait(20);
    lock = await takeLease(path, "instances", "exclusive");
  }
  return lock;
}

async function lockRow(store: string): Promise<Pick<Lease, "release">> {
  const sql = postgres(store, { max: 1 });
  await sql.unsafe("BEGIN; SELECT version FROM trellis_registry FOR UPDATE");
  return { release: () => sql.end({ timeout: 1 }) };
}
