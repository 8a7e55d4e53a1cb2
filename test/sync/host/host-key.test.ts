/** The keys of a PostgreSQL host are in its database, sealed under the host's key, which each machine has. */
import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { inInstance } from "../../../src/database/named-instance.ts";
import { useDatabase } from "../../../src/database/open-database.ts";
import { readSealedKey } from "../../../src/identity/host-key.ts";
import { openKeyRing, placeKeyRing, readKeyRing } from "../../../src/identity/instance-key.ts";
import { instanceKeyId } from "../../../src/identity/key-ring.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis } from "../../service/start-trellis.ts";
import { postJson, signIn } from "../sync-client.ts";
import { createServer, until } from "./instance-commands.ts";
import { bearer, createHostPlace, originOf, PASSWORD, signInOptions } from "./serve-host.ts";

const CREATE = "account create --username anna --password-stdin";
const hostKeyOf = ({ dataDir }: { readonly dataDir: string }) => join(dataDir, "host.key");

/** Machines of one host, of which the first one has made the host's key. */
async function createMachines(t: TestContext) {
  const place = await createHostPlace(t, "PostgreSQL");
  const createMachine = async () =>
    createServer(t, { ...(await createHostPlace(t, "SQLite")), store: place.store });
  const one = await createServer(t, place);
  const other = await createMachine();
  await one.ask(`instance add ada --base-url ${originOf("ada")}`);
  const shareKey = async () => {
    await mkdir(other.dataDir, { recursive: true, mode: 0o700 });
    await copyFile(hostKeyOf(one), hostKeyOf(other));
  };
  const store = place.store ?? "";
  const readKeyOf = (name: string, machine = one) =>
    useDatabase(inInstance(store, name), {}, (database) =>
      readSealedKey(database, hostKeyOf(machine)),
    );
  return { one, other, store, shareKey, readKeyOf };
}

test("a machine with the configuration and the host's key serves every instance", async (t) => {
  const { one, other, shareKey } = await createMachines(t);
  assert.equal(statSync(hostKeyOf(one)).mode & 0o777, 0o600);
  await shareKey();
  const first = await one.serve();
  await one.ask(`${CREATE} --instance ada`, PASSWORD);
  const tokens = await signIn(first.askAt("ada.example.com"), signInOptions());
  const second = await other.serve();
  const ada = second.askAt("ada.example.com");
  assert.equal((await ada("/v1/device", { headers: bearer(tokens.accessToken) })).status, 200);
  const made = bearer("made-up-token-of-a-stranger-made-up-token-of");
  assert.equal((await ada("/v1/device", { headers: made })).status, 401);
  const body = { grantType: "refresh_token", refreshToken: tokens.refreshToken };
  assert.equal((await postJson(ada, "/v1/refresh", body)).status, 200);

  // What is known of an instance is known on each machine, whichever has it open.
  await until(async () => {
    const { instances } = await other.ask<{ instances: Record<string, unknown>[] }>(
      "instance list",
    );
    return instances[0]?.["state"] === "open" && instances[0]["devices"] === 1;
  });
  assert.ok(!existsSync(join(other.dataDir, "instances", "ada", "usage.json")));

  // An instance that is added on a machine is served by the others, and administered by any.
  await other.ask(`instance add bob --base-url ${originOf("bob")}`);
  const bob = first.askAt("bob.example.com");
  await until(async () => (await bob("/v1/health")).status === 200);
  await one.ask(`${CREATE} --instance bob`, PASSWORD);
  await signIn(second.askAt("bob.example.com"), signInOptions());
  const status = await other.ask<{ account: { username: string } }>("status --instance bob");
  assert.equal(status.account.username, "anna");
  await other.ask("instance remove bob --yes");
  await until(async () => (await bob("/v1/health")).status === 404);
  assert.ok(!existsSync(join(one.dataDir, "instances", "ada", "instance.key")));
});

test("a machine without the host's key says what is missing, and changes nothing", async (t) => {
  const { one, other } = await createMachines(t);
  await one.ask(`${CREATE} --instance ada`, PASSWORD);
  const missing =
    /^There is no host's key at ".*host\.key", but the keys of the instances are sealed under [0-9a-f]{12}: copy the file from another machine/;
  const expectRefused = async (message: RegExp) => {
    await other.fails(`instance add bob --base-url ${originOf("bob")}`, message);
    await other.fails("instance suspend ada", message);
    await other.fails("devices list --instance ada", message);
    const server = runTrellis(t, ["serve", "--config", other.config]);
    assert.equal((await server.ended).code, 1);
    assert.match(server.stderr(), message);
    const doctor = await runInside(other.folder, ["doctor"]);
    assert.match(doctor.stdout, /host's key/);
  };
  await expectRefused(missing);
  assert.equal(existsSync(hostKeyOf(other)), false);
  const id = instanceKeyId(openKeyRing(hostKeyOf(other)).secret);
  await expectRefused(
    new RegExp(`^The host's key ".*host\\.key" is ${id}, but the keys of the instances are sealed`),
  );
  const { instances } = await one.ask<{ instances: { name: string; state: string }[] }>(
    "instance list",
  );
  assert.deepEqual(
    instances.map(({ name, state }) => [name, state]),
    [["ada", "idle"]],
  );
});

test("the host's key is replaced while every machine goes on", async (t) => {
  const { one, other, shareKey, readKeyOf } = await createMachines(t);
  await one.ask(`${CREATE} --instance ada`, PASSWORD);
  await shareKey();
  const former = instanceKeyId(
    readKeyRing(hostKeyOf(one))?.secret ?? assert.fail("There is no key"),
  );
  const key = await readKeyOf("ada");
  await one.fails("host-key rotate", /adds a new key to .*: nothing was changed; add --yes/);
  const { next } = await one.ask<{ next: string }>("host-key rotate --yes");
  assert.notEqual(next, former);
  assert.deepEqual(
    await one.ask("host-key rotate --yes"),
    { former, next },
    "it is not replaced twice",
  );
  // A machine that has not got the new file yet goes on, and what is sealed meanwhile opens there.
  await other.ask(`instance add bob --base-url ${originOf("bob")}`);
  await one.ask(`${CREATE} --instance bob`, PASSWORD);
  await other.ask("status --instance bob");
  const file = hostKeyOf(other);
  await copyFile(file, `${file}.former`);
  await shareKey();
  assert.deepEqual(await other.ask("host-key apply --yes"), { id: next, sealed: 2 });
  assert.deepEqual(await one.ask("host-key apply --yes"), { id: next, sealed: 0 });
  assert.deepEqual(await readKeyOf("ada"), key);
  await one.ask("status --instance bob");
  await rename(`${file}.former`, file);
  await other.fails("status --instance ada", new RegExp(`is ${former}, but .* under ${next}`));
});

test("a host's key is made by a command, once for all machines", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const one = await createServer(t, place, { hostKeyFile: "./secrets/the.key" });
  const other = await createServer(t, {
    ...(await createHostPlace(t, "SQLite")),
    store: place.store,
  });
  const { id, file } = await one.ask<{ id: string; file: string }>("host-key create");
  assert.equal(file, join(one.folder, "secrets", "the.key"));
  assert.deepEqual((await one.ask<{ id: string }>("host-key create")).id, id);
  await other.fails("host-key create", /^There is no host's key at /);
  const files = await createServer(t, await createHostPlace(t, "SQLite"));
  await files.fails("host-key create", /keys of its instances are in their folders/);
});

test("the key of an instance that another row has opens for none", async (t) => {
  const { one, store } = await createMachines(t);
  await one.ask(`instance add bob --base-url ${originOf("bob")}`);
  for (const name of ["ada", "bob"]) await one.ask(`${CREATE} --instance ${name}`, PASSWORD);
  await useDatabase(store, {}, (database) =>
    database.transaction((tx) =>
      tx.query(`UPDATE trellis_instances SET sealed_key =
        (SELECT sealed_key FROM trellis_instances WHERE name = 'ada') WHERE name = 'bob'`),
    ),
  );
  await one.fails("status --instance bob", /key of the instance in the database was changed/);
  await one.ask("status --instance ada");
});

test("keys in files of earlier builds are sealed in the database, and no file is lost", async (t) => {
  const { one, other, store, readKeyOf } = await createMachines(t);
  await one.ask(`${CREATE} --instance ada`, PASSWORD);
  const key = await readKeyOf("ada");
  assert.ok(key !== null);
  // As such a build left it.
  const folder = join(one.dataDir, "instances", "ada");
  const path = join(folder, "instance.key");
  await useDatabase(store, {}, (database) =>
    database.transaction((tx) =>
      tx.script("UPDATE trellis_instances SET sealed_key = NULL; DELETE FROM trellis_host_key;"),
    ),
  );
  await rm(hostKeyOf(one));
  placeKeyRing(path, key);
  await one.fails(
    "status --instance ada",
    /The database has no key of the instance "ada".*run `trellis store migrate` there/,
  );
  const migrate = (...words: string[]) => runInside(one.folder, ["store", "migrate", ...words]);
  const dry = await migrate("--dry-run");
  assert.match(dry.stdout, /seals the key of an instance in the database under the host's key/);
  assert.equal(existsSync(hostKeyOf(one)), false);
  const migrated = await migrate("--yes");
  assert.equal(migrated.code, 0, migrated.stderr);
  assert.match(migrated.stdout, /^Sealed 1 key in the database: copy ".*host\.key"/m);
  assert.deepEqual((await readKeyOf("ada"))?.secret, key.secret);
  assert.deepEqual(readKeyRing(`${path}.moved`)?.secret, key.secret);
  await one.ask("status --instance ada");
  const again = await migrate("--yes");
  assert.doesNotMatch(again.stdout, /Sealed/);

  // Of another machine, which had a key of its own for the same name.
  await mkdir(join(other.dataDir, "instances", "ada"), { recursive: true, mode: 0o700 });
  await writeFile(join(other.dataDir, "instances", "ada", "instance.key"), Buffer.alloc(32, 7), {
    mode: 0o600,
  });
  await copyFile(hostKeyOf(one), hostKeyOf(other));
  const foreign = await runInside(other.folder, ["store", "migrate", "--yes"]);
  assert.match(
    foreign.stderr,
    /is not the one that the database has of the instance: move the file/,
  );
  await one.ask("status --instance ada");
});
