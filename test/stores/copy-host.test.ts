/** `trellis store copy` moves a host of files to a PostgreSQL database and back, with its list and its keys. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { leaseStore } from "../../src/database/lease-store.ts";
import { openKeyRing } from "../../src/identity/instance-key.ts";
import { instanceKeyId } from "../../src/identity/key-ring.ts";
import { startPostgres } from "../database/start-postgres.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { createServer } from "../sync/host/instance-commands.ts";
import { createHostPlace, originOf, PASSWORD } from "../sync/host/serve-host.ts";

const CREATE = "account create --username anna --password-stdin";

type Server = Awaited<ReturnType<typeof createServer>>;

interface Listed {
  readonly instances: readonly { readonly name: string; readonly hasAccount: boolean }[];
}

/** A host of files: one instance with an account, one that was invited, one that is unused. */
async function createFiles(t: TestContext) {
  const place = await createHostPlace(t, "SQLite");
  const server = await createServer(t, place);
  await server.ask(`instance add ada --base-url ${originOf("ada")} --quota-devices 3`);
  await server.ask(`instance add bob --base-url ${originOf("bob")} --invite`);
  await server.ask(`instance add cleo --base-url ${originOf("cleo")}`);
  await server.ask(`${CREATE} --instance ada`, PASSWORD);
  return { place, server };
}

const copy = (server: Server, ...words: string[]) =>
  runInside(server.folder, ["store", "copy", ...words]);

/** What a person would miss after a move. */
async function describe(server: Server) {
  const { instances } = await server.ask<Listed>("instance list");
  const ada = await server.ask<{ generation: string; key: { id: string } }>(
    "status --instance ada",
  );
  const { links } = await server.ask<{ links: { id: string }[] }>("account links --instance bob");
  return {
    instances: instances.map(({ name, hasAccount }) => [name, hasAccount]),
    ada: [ada.generation, ada.key.id],
    links: links.map(({ id }) => id),
  };
}

test("a host moves to a database and back with its list and its keys", async (t) => {
  const { place, server } = await createFiles(t);
  const store = await (await startPostgres()).createDatabase();
  const before = await describe(server);
  assert.deepEqual(before.instances, [
    ["ada", true],
    ["bob", false],
    ["cleo", false],
  ]);
  const { process } = await server.serve();
  const busy = await copy(server, "--to", store);
  assert.match(busy.stderr, /^A server of this version serves these instances: stop it/);
  process.child.kill("SIGTERM");
  await process.ended;

  for (const turn of ["first", "repeated"]) {
    const copied = await copy(server, "--to", store);
    assert.equal(copied.code, 0, `${turn}: ${copied.stderr}`);
    assert.match(copied.stdout, /^Copied and verified ada: \d+ rows$/m);
    assert.match(copied.stdout, /^Copied 3 instances with their list and their keys$/m);
    assert.match(copied.stdout, /each machine needs ".*host\.key"; keep the old store/);
  }
  // A machine of its own, with the configuration and the host's key alone.
  const elsewhere = await createHostPlace(t, "SQLite");
  const machine = await createServer(t, { ...elsewhere, store });
  await mkdir(machine.dataDir, { mode: 0o700 });
  await copyFile(join(server.dataDir, "host.key"), join(machine.dataDir, "host.key"));
  assert.deepEqual(await describe(machine), before);
  const { devices } = await machine.ask<{ devices: unknown[] }>("devices list --instance ada");
  assert.deepEqual(devices, []);

  const back = await copy(
    machine,
    "--from",
    store,
    "--to",
    `sqlite:${join(machine.dataDir, "sync.db")}`,
  );
  assert.equal(back.code, 0, back.stderr);
  const files = await createServer(t, elsewhere);
  assert.deepEqual(await describe(files), before);
  assert.deepEqual(await describe(await createServer(t, place)), before, "the source is unchanged");
});

test("a copy of a host that is interrupted enters no list, and goes on where it was", async (t) => {
  const { server } = await createFiles(t);
  const store = await (await startPostgres()).createDatabase();
  const bob = join(server.dataDir, "instances", "bob", "sync.db");
  const held = await leaseStore("sync", `sqlite:${bob}`, "shared");
  const interrupted = await copy(server, "--to", store);
  await held.release();
  assert.match(interrupted.stderr, /^The instance "bob": The store is in use/);
  assert.match(interrupted.stdout, /^Copied and verified ada/m);
  const machine = await createServer(t, { ...(await createHostPlace(t, "SQLite")), store });
  await mkdir(machine.dataDir, { mode: 0o700 });
  await copyFile(join(server.dataDir, "host.key"), join(machine.dataDir, "host.key"));
  assert.deepEqual((await machine.ask<Listed>("instance list")).instances, []);
  assert.equal((await copy(server, "--to", store)).code, 0);
  assert.deepEqual(await describe(machine), await describe(server));

  // The source went on: what the target has would be lost, or the other way round.
  await server.ask("sign-in-link --instance ada");
  const other = await copy(server, "--to", store);
  assert.match(other.stderr, /^The instance "ada": The store at --to has other data of the sync/);
});

test("one instance moves with its key and its place in the list", async (t) => {
  const { server } = await createFiles(t);
  const store = await (await startPostgres()).createDatabase();
  const before = await describe(server);
  const copied = await copy(server, "--instance", "ada", "--to", store);
  assert.equal(copied.code, 0, copied.stderr);
  const elsewhere = await createHostPlace(t, "SQLite");
  const machine = await createServer(t, { ...elsewhere, store });
  await mkdir(machine.dataDir, { mode: 0o700 });
  await copyFile(join(server.dataDir, "host.key"), join(machine.dataDir, "host.key"));
  const { instances } = await machine.ask<Listed>("instance list");
  assert.deepEqual(
    instances.map(({ name }) => name),
    ["ada"],
  );
  const back = await copy(
    machine,
    "--instance",
    "ada",
    "--to",
    `sqlite:${join(machine.dataDir, "instances", "ada", "sync.db")}`,
  );
  assert.equal(back.code, 0, back.stderr);
  const files = await createServer(t, elsewhere);
  const status = await files.ask<{ generation: string; key: { id: string } }>(
    "status --instance ada",
  );
  assert.deepEqual([status.generation, status.key.id], before.ada);

  // A key that is there and is another one is not written over.
  const folder = join(machine.folder, "other");
  await mkdir(folder);
  const id = instanceKeyId(openKeyRing(join(folder, "instance.key")).secret);
  const third = await createServer(t, { ...elsewhere, store });
  const refused = await copy(third, "--instance", "ada", "--to", `sqlite:${folder}/sync.db`);
  assert.match(refused.stderr, /^The instance key ".*" is not that of the sync store at --from/);
  assert.equal(instanceKeyId(openKeyRing(join(folder, "instance.key")).secret), id);
  assert.ok(!existsSync(join(folder, "instance.key.moved")));
});
