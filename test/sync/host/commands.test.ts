/** The commands that manage instances, beside a running server. */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { parseMetrics } from "../../fixtures/parse-metrics.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { loadUsage } from "../../../src/hosting/instance-usage.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "../operations/device.ts";
import { signIn, type Ask } from "../sync-client.ts";
import { createServer, until } from "./instance-commands.ts";
import {
  askOf,
  bearer,
  closeHost,
  createHostPlace,
  originOf,
  PASSWORD,
  signInOptions,
  startHost,
} from "./serve-host.ts";

const CREATE = "account create --username anna --password-stdin";

for (const kind of STORE_KINDS) {
  test(`a running server follows the commands (${kind})`, async (t) => {
    const server = await createServer(t, await createHostPlace(t, kind));
    const { ask, fails } = server;
    await ask(`instance add ada --base-url ${originOf("ada")} --quota-devices 5 --profile sealed`);
    await server.addAccount("ada");
    const { process, askAt } = await server.serve();
    const ada = askAt("ada.example.com");
    const { accessToken } = await signIn(ada, signInOptions());
    const statusOf = async (at: Ask) =>
      (await at("/v1/device", { headers: bearer(accessToken) })).status;
    assert.equal(await statusOf(ada), 200);

    await ask(`instance add bob --base-url ${originOf("bob")}`);
    const atBob = askAt("bob.example.com");
    await until(async () => (await atBob("/v1/health")).status === 200);
    const profileAt = async (at: Ask) =>
      /"profile":"(\w+)"/.exec(await (await at("/v1/capabilities")).text())?.[1];
    assert.deepEqual([await profileAt(ada), await profileAt(atBob)], ["sealed", "habits"]);

    await ask("instance suspend ada");
    await until(async () => (await statusOf(ada)) === 503);
    await ask("instance resume ada");
    await until(async () => (await statusOf(ada)) === 200);

    await ask(`instance move ada --rename countess --base-url ${originOf("countess")}`);
    const countess = askAt("countess.example.com");
    await until(async () => (await statusOf(countess)) === 200);
    assert.equal((await ada("/v1/health")).status, 404);
    const { devices } = await ask<{ devices: unknown[] }>("devices list --instance countess");
    assert.equal(devices.length, 1);

    await fails("instance remove countess", /deletes the instance "countess".*add --yes/);
    await ask("instance remove countess --dry-run");
    assert.equal(await statusOf(countess), 200);
    await ask("instance remove countess --yes");
    await until(async () => (await countess("/v1/health")).status === 404);
    // Of rows in a database, a machine has a folder from when it has opened them.
    const folders = (await readdir(join(server.dataDir, "instances"))).filter(isFolder);
    assert.deepEqual(folders, kind === "SQLite" ? ["bob"] : []);
    const opened = await askAt("bob.example.com")("/owner/export.json", { redirect: "manual" });
    assert.equal(opened.status, 303);

    // The server writes what the list reads after it has opened the instance.
    let instances: Record<string, unknown>[] = [];
    await until(async () => {
      ({ instances } = await ask<{ instances: Record<string, unknown>[] }>("instance list"));
      return instances[0]?.["state"] === "open";
    });
    const [bob] = instances;
    assert.deepEqual([instances.length, bob?.["name"]], [1, "bob"]);
    assert.ok((bob?.["bytes"] as number) > 10_000);
    assert.deepEqual([bob?.["hasAccount"], bob?.["devices"]], [false, 0]);

    process.child.kill("SIGTERM");
    assert.equal((await process.ended).code, 0);
    const lines = process.stdout().split("\n");
    const named = lines.filter((line) => line.includes('"instance":"ada"'));
    assert.ok(named.some((line) => line.includes('"path":"/v1/device"')));
    assert.ok(named.some((line) => line.includes('"event":"new_device"')));
    assert.ok(lines.every((line) => line === "" || JSON.parse(line) !== null));
  });
}

const isFolder = (name: string) => !name.includes(".");

test("every command of a server with instances needs one of them", async (t) => {
  const server = await createServer(t, await createHostPlace(t, "SQLite"));
  const { ask, fails } = server;
  await fails("status --instance ada", /has no named instances/);
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await ask(`instance add bob --base-url ${originOf("bob")}`);
  await server.addAccount("ada");
  for (const words of [
    "status",
    "sign-in-link",
    "devices list",
    "compact",
    "backup x.backup",
    "export x.json",
  ]) {
    await fails(words, /choose one with --instance NAME/);
    await fails(`${words} --instance eve`, /There is no instance "eve"/);
  }
  await fails("status --instance toString", /There is no instance "toString"/);
  const { account } = await ask<{ account: object }>("status --instance ada");
  assert.equal((account as { username: string }).username, "anna");
  await fails("status --instance bob", /There is no sync store/);
  const { url } = await ask<{ url: string }>("sign-in-link --instance ada");
  assert.ok(url.startsWith(`${originOf("ada")}/sign-in-link#`), url);
});

test("a backup of one instance is restored into another server's, with its key", async (t) => {
  const server = await createServer(t, await createHostPlace(t, "SQLite"));
  const { ask, folder, dataDir } = server;
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await server.addAccount("ada");
  const file = join(folder, "ada.backup");
  await ask(`backup ${file} --instance ada --with-key --passphrase-stdin`, "a long passphrase");
  await ask(`instance add bob --base-url ${originOf("bob")}`);
  await ask(
    `restore ${file} --instance bob --with-key --passphrase-stdin --yes`,
    "a long passphrase",
  );
  const { account } = await ask<{ account: { username: string } }>("status --instance bob");
  assert.equal(account.username, "anna");
  const key = (name: string) => readFile(join(dataDir, "instances", name, "instance.key"));
  assert.deepEqual(await key("bob"), await key("ada"));
});

test("the one instance of a server becomes the first named one, and its devices stay", async (t) => {
  const server = await createServer(t, await createHostPlace(t, "SQLite"));
  const { ask, fails } = server;
  await ask(CREATE, PASSWORD);
  const before = await ask<{ generation: string }>("status");
  await fails(`instance add ada --base-url ${originOf("ada")}`, /would no longer be served/);
  await fails("instance add ada --base-url nowhere --adopt", /must be an absolute address/);
  assert.equal((await ask<{ generation: string }>("status")).generation, before.generation);
  await ask(`instance add ada --base-url ${originOf("ada")} --adopt`);
  const after = await ask<{ generation: string }>("status --instance ada");
  assert.equal(after.generation, before.generation);
  assert.deepEqual(
    (await readdir(server.dataDir)).filter((name) => name.startsWith("sync.db")),
    ["sync.db.lock"],
  );
  await fails(`instance add bob --base-url ${originOf("bob")} --adopt`, /nothing to adopt/);
});

test("the one instance in a PostgreSQL database becomes the first named one, where it is", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const events = { store: place.store, listen: { port: 0 } };
  const server = await createServer(t, place, {}, { events });
  const { ask, fails, folder } = server;
  await ask(CREATE, PASSWORD);
  const before = await ask<{ generation: string }>("status");
  const runEvents = (words: string) =>
    runInside(folder, ["events", ...words.split(" ")], { input: PASSWORD });
  assert.equal((await runEvents(CREATE)).code, 0);
  await fails(
    `instance add ada --base-url ${originOf("ada")}`,
    /one instance without a name, with its rows in the database .* with --adopt, or name another/,
  );
  await ask(`instance add ada --base-url ${originOf("ada")} --adopt`);
  await ask(`instance add bob --base-url ${originOf("bob")}`);
  const after = await ask<{ generation: string }>("status --instance ada");
  assert.equal(after.generation, before.generation);
  const { askAt } = await server.serve();
  await signIn(askAt("ada.example.com"), signInOptions());
  await ask("instance remove ada --yes");
  // The events service of the same database has its account still.
  const { stdout } = await runEvents("status --json");
  assert.equal((JSON.parse(stdout) as { accounts: number }).accounts, 1);
});

test("instances are listed in one place, and commands that run at once lose nothing", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const { ask, fails } = await createServer(t, place);
  const names = Array.from({ length: 8 }, (_, index) => `person-${index}`);
  await Promise.all(names.map((name) => ask(`instance add ${name} --base-url ${originOf(name)}`)));
  const { instances } = await ask<{ instances: { name: string }[] }>("instance list");
  assert.deepEqual(
    instances.map(({ name }) => name),
    names,
  );
  await ask("instance change person-1 --quota-bytes 5000000 --quota-devices 2");
  const changed = await ask("instance change person-1 --quota-devices none");
  assert.deepEqual(changed["quota"], { bytes: 5_000_000 });
  await fails("instance change person-1", /at least one setting/);
  await fails("instance change person-1 --quota-devices 0", /--quota-devices must be/);
  const taken = `--base-url ${originOf("person-1")}`;
  await fails(`instance add zoe ${taken}`, /^Nothing was added: .+zoe.+ host of .+"person-1"/);
  await fails(`instance change person-2 ${taken}`, /^Nothing was changed: .+ has the host of/);
  await fails("instance add Person --base-url https://x.example", /lower-case letters/);
  await fails("instance add person-1 --base-url https://x.example", /already an instance/);
  const listed = { instances: { eve: { baseUrl: originOf("eve") } } };
  const both = await createServer(t, place, listed);
  await both.fails("instance list", /keep one of the two lists/);
  const other = await createHostPlace(t, "SQLite");
  const configured = await createServer(t, other, listed);
  const list = await configured.ask<{ instances: { name: string }[] }>("instance list");
  assert.deepEqual(
    list.instances.map(({ name }) => name),
    ["eve"],
  );
  await configured.fails(
    `instance add ada --base-url ${originOf("ada")}`,
    /listed in `sync.instances` of its configuration/,
  );
});

test("the doctor names the instance that needs attention", async (t) => {
  const server = await createServer(t, await createHostPlace(t, "SQLite"));
  const { ask, dataDir, folder } = server;
  for (const name of ["ada", "bob"]) {
    await ask(`instance add ${name} --base-url http://127.0.0.1:${name === "ada" ? 1 : 2}`);
    await server.addAccount(name);
  }
  await writeFile(join(dataDir, "instances", "bob", "instance.key"), Buffer.alloc(32, 7));
  const { stdout } = await runInside(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as {
    findings: { subject: string; level: string; remedy?: string }[];
  };
  const errors = findings.filter(({ level }) => level === "error");
  assert.deepEqual(
    errors.map(({ subject }) => subject),
    ["instance bob, sync key"],
  );
  const unsaved = findings.find(({ subject }) => subject === "2 instances, sync backup");
  assert.equal(
    unsaved?.remedy,
    "set `sync.backup` in the configuration, or run `trellis sync backup FILE --instance NAME` on a timer",
  );
  const { instances } = await ask<{ instances: { error: string | null }[] }>("instance list");
  assert.equal(instances[0]?.error, null);
  assert.match(
    instances[1]?.error ?? "",
    /is not the one .* run `trellis sync account password --new-instance-key --instance bob`/,
  );
});

test("an instance goes back to the backup that the running server made of it", async (t) => {
  const backup = { to: "./backups" };
  const operator = { operator: { listen: { port: 0 } } };
  const server = await createServer(t, await createHostPlace(t, "SQLite"), { backup }, operator);
  const { ask, fails, folder, run } = server;
  for (const name of ["ada", "bob"]) {
    await ask(`instance add ${name} --base-url ${originOf(name)}`);
    await server.addAccount(name);
  }
  const { process, askAt, operator: address } = await server.serve();
  const isMade = (line: string, name: string) =>
    line.startsWith('{"event":"backup_made"') && line.includes(`"instance":"${name}"`);
  for (const name of ["ada", "bob"]) await process.line((line) => isMade(line, name));
  const ada = askAt("ada.example.com");
  const { accessToken } = await signIn(ada, signInOptions());
  const pull = () => ada("/v1/pull", { headers: bearer(accessToken) });
  assert.equal((await pull()).status, 200);

  const [name = ""] = await readdir(join(folder, "backups", "ada"));
  const file = join(folder, "backups", "ada", name);
  const restore = `restore ${file} --instance ada --yes`;
  await fails(restore, /suspend one of several instances with `trellis sync instance suspend ada`/);
  await fails(`restore ${file} --instance bob --yes`, /written with another instance key/);
  await ask("instance suspend ada");
  await until(async () => (await run(restore)).code === 0);
  await ask("instance resume ada");
  await until(async () => (await pull()).status === 200);

  const list = () => ask<{ instances: Record<string, unknown>[] }>("instance list");
  // The server writes down that an instance is open while it already responds.
  await until(async () => (await list()).instances[0]?.["state"] === "open");
  const { instances } = await list();
  assert.deepEqual(
    instances.map((instance) => [instance["name"], instance["state"], instance["devices"]]),
    [
      ["ada", "open", 1],
      ["bob", "idle", 0],
    ],
  );
  for (const { backup: saved, lastUsedAt } of instances) {
    const { lastAt, failingSince } = saved as { lastAt: string; failingSince: null };
    assert.ok(Date.now() - Date.parse(lastAt) < 60_000);
    assert.equal(failingSince, null);
    assert.ok(lastUsedAt === null || Date.now() - Date.parse(lastUsedAt as string) < 60_000);
  }
  const { value } = parseMetrics(await (await fetch(`${address}/metrics`)).text());
  for (const instance of ["ada", "bob"]) {
    assert.ok((value("trellis_backup_age_seconds", { service: "sync", instance }) ?? 99) < 60);
  }
  assert.equal(value("trellis_sync_devices", { instance: "ada" }), 1);
  const { stdout } = await run("instance list");
  assert.match(stdout, /^NAME +STATE +DEVICES +SIZE +LAST USE +LAST BACKUP +ADDRESS$/m);
  assert.match(
    stdout,
    /^ada +open +1 +[\d.]+ KiB +less than an hour ago +less than an hour ago +http/m,
  );
  const { stdout: status } = await run("status --instance bob");
  assert.match(status, /Last backup +.*less than an hour ago, verified/);
  process.child.kill("SIGTERM");
  assert.equal((await process.ended).code, 0);

  await ask("devices revoke --all --yes --instance ada");
  const after = await ask<{ instances: { devices: number; state: string }[] }>("instance list");
  assert.deepEqual([after.instances[0]?.devices, after.instances[0]?.state], [0, "idle"]);
});

test("the list says whose storage is used up", async (t) => {
  const server = await createServer(t, await createHostPlace(t, "SQLite"));
  const { ask, run } = server;
  await ask(`instance add ada --base-url ${originOf("ada")} --quota-bytes 1000000000`);
  await server.addAccount("ada");
  const list = () => ask<{ instances: { isUsedUp: boolean }[] }>("instance list");
  assert.equal((await list()).instances[0]?.isUsedUp, false);
  await ask("instance change ada --quota-bytes 5000");
  assert.equal((await list()).instances[0]?.isUsedUp, true);
  assert.match((await run("instance list")).stdout, /^ada .+ KiB of 4\.9 KiB, used up /m);
});

test("the list says which data the server cannot read", async (t) => {
  const { ask, run, addAccount, dataDir } = await createServer(
    t,
    await createHostPlace(t, "SQLite"),
    { profile: "sealed" },
  );
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  const { stdout } = await run("instance list");
  assert.match(stdout, /^ada +idle, sealed +no account /m);
  assert.match(stdout, /^sealed: this server cannot read the data$/m);

  await addAccount("ada");
  const folder = join(dataDir, "instances", "ada");
  // What a server has written down of the instance, which it had opened with either profile.
  for (const profile of ["sealed", "open"] as const) {
    const host = startHost(t, { dataDir, store: undefined }, ["ada"], { profile });
    assert.equal((await askOf(host, "ada")("/owner/export.json")).status, 303);
    await closeHost(host);
    assert.equal((await loadUsage(folder))?.isSealed, profile === "sealed");
    assert.match((await run("instance list")).stdout, /^ada +idle, sealed +0 /m);
  }
  const store = await openSyncStore(`sqlite:${join(folder, "sync.db")}`, folder, "change");
  await pushTo(store, [createOperation()]);
  await store.close();
  const list = await run("instance list");
  assert.match(list.stdout, /^ada +idle +0 /m);
  assert.match(list.stdout, /^ada: The profile is "sealed", but .+ in clear text: 1: set /m);
  assert.doesNotMatch(list.stdout, /cannot read the data/);
});

test("hints name the instance that a command was run for", async (t) => {
  const { ask, fails, run } = await createServer(t, await createHostPlace(t, "SQLite"));
  await ask(`instance add ada --base-url ${originOf("ada")}`);
  await fails(
    "status --instance ada",
    /`trellis sync account create --username NAME --instance ada`/,
  );
  await ask(`${CREATE} --instance ada`, PASSWORD);
  await fails(
    `${CREATE} --instance ada`,
    /`trellis sync account password --instance ada`/,
    PASSWORD,
  );
  await fails("devices revoke phone --instance ada", /`trellis sync devices list --instance ada`/);
  const { stdout } = await run("status --instance ada");
  assert.match(stdout, /run `trellis sync backup FILE --instance ada`, or set `sync.backup`/);
});
