/** The registry of a host on PostgreSQL is in its database, and the same on each machine. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { registryPath } from "../../../src/configuration/instance-registry.ts";
import { useDatabase } from "../../../src/database/open-database.ts";
import { createServer } from "./instance-commands.ts";
import { createHostPlace, originOf } from "./serve-host.ts";

interface Listed {
  readonly instances: readonly { readonly name: string; readonly state: string }[];
}

const namesOf = ({ instances }: Listed) => instances.map(({ name }) => name);

test("what a command does on one machine is known on another", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const one = await createServer(t, place);
  const other = await createServer(t, {
    ...(await createHostPlace(t, "SQLite")),
    store: place.store,
  });
  await one.ask(`instance add ada --base-url ${originOf("ada")}`);
  await mkdir(other.dataDir);
  await copyFile(join(one.dataDir, "host.key"), join(other.dataDir, "host.key"));
  await other.ask(`instance add bob --base-url ${originOf("bob")}`);
  await other.fails(
    `instance add ada --base-url ${originOf("ada-2")}`,
    /already an instance "ada"/,
  );
  await other.ask("instance suspend ada");
  await other.ask("instance move bob --rename eve");
  for (const machine of [one, other]) {
    const listed = await machine.ask<Listed>("instance list");
    assert.deepEqual(
      listed.instances.map(({ name, state }) => [name, state]),
      [
        ["ada", "suspended"],
        ["eve", "idle"],
      ],
    );
    assert.equal(existsSync(registryPath(machine.dataDir)), false);
  }
  await other.fails(
    "instance move eve --to-data-dir /tmp/elsewhere",
    /On PostgreSQL an instance belongs to no machine/,
  );
});

test("commands on two machines that add at the same time lose nothing", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const machines = [await createServer(t, place), await createServer(t, place)] as const;
  const names = ["a", "b", "c", "d", "e", "f"];
  await Promise.all(
    names.map((name, index) =>
      machines[index % 2 === 0 ? 0 : 1].ask(`instance add ${name} --base-url ${originOf(name)}`),
    ),
  );
  assert.deepEqual(namesOf(await machines[0].ask<Listed>("instance list")), names);
});

test("a registry in a file moves to the database with the first change", async (t) => {
  const server = await createServer(t, await createHostPlace(t, "PostgreSQL"));
  const path = registryPath(server.dataDir);
  await mkdir(join(server.dataDir, "instances"), { recursive: true, mode: 0o700 });
  await writeFile(path, JSON.stringify({ ada: { baseUrl: originOf("ada") } }));
  assert.deepEqual(namesOf(await server.ask<Listed>("instance list")), ["ada"]);
  await server.ask(`instance add bob --base-url ${originOf("bob")}`);
  assert.equal(existsSync(path), false);
  assert.equal(existsSync(`${path}.moved`), true);
  assert.deepEqual(namesOf(await server.ask<Listed>("instance list")), ["ada", "bob"]);
});

test("many instances are added in one change, each with a number of its own", async (t) => {
  const place = await createHostPlace(t, "PostgreSQL");
  const server = await createServer(t, place);
  for (const name of ["pupil", "teacher"]) {
    await server.ask(`instance add ${name} --count 500 --base-url https://{name}.example.com`);
  }
  const [row] = await useDatabase(place.store ?? "", {}, (database) =>
    database.query(
      `SELECT count(DISTINCT instance) AS numbers, min(instance) AS first,
         (SELECT version FROM trellis_registry) AS version FROM trellis_instances`,
    ),
  );
  assert.deepEqual(row, { numbers: 1000, first: 2, version: 2 });
});
