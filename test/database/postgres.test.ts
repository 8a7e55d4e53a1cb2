import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { StorageUnavailableError } from "../../src/database/database.ts";
import { postgresServers } from "../../src/database/postgres-servers.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import type { PostgresOptions } from "../../src/database/postgres.ts";
import {
  assertNoticed,
  commitAndNotify,
  testDatabaseContract,
  watchCommits,
} from "./database-contract.ts";
import { runChild } from "./run-child.ts";
import { startOwnPostgres, startPostgres } from "./start-postgres.ts";
import { startProxy } from "./start-proxy.ts";
import { createTriples, readTriples } from "./triples.ts";
import { write } from "./write.ts";

testDatabaseContract("PostgreSQL", async () => {
  const url = await (await startPostgres()).createDatabase();
  return { open: (options) => openPostgres(url, options) };
});

const INSERT = "insert into triple (writer, number, part) values ('w', $1, 1)";

test("transactions that wait together share one commit", async (t) => {
  const { database } = await openNew(t);
  await createTriples(database);
  const rows = await Promise.all(
    Array.from({ length: 60 }, (_, number) =>
      write<{ id: string }>(database, `${INSERT} returning pg_current_xact_id()::text as id`, [
        number,
      ]),
    ),
  );
  // How many fit into one group depends on the speed of the machine.
  const commits = new Set(rows.flat().map(({ id }) => id)).size;
  assert.ok(commits < 60, `${commits} commits`);
});

test("an acknowledged write is on the disk, whatever the server's default", async (t) => {
  const { url } = await openNew(t);
  const admin = connect(t, url);
  await admin.unsafe(
    `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
  );
  const database = await openPostgres(url);
  t.after(() => database.close());
  const shown = await database.transaction((tx) => tx.query("show synchronous_commit"));
  assert.deepEqual(shown, [{ synchronous_commit: "on" }]);
});

test("only a transaction that may be lost does not wait for the disk", async (t) => {
  const { database } = await openNew(t);
  const readLevel = (mayBeLost: boolean) =>
    database.transaction((tx) => tx.query("show synchronous_commit"), { mayBeLost });
  assert.deepEqual(await readLevel(true), [{ synchronous_commit: "off" }]);
  assert.deepEqual(await readLevel(false), [{ synchronous_commit: "on" }]);
});

test("a role that forbids index scans does not change the plans of the store", async (t) => {
  const { url } = await openNew(t);
  const name = new URL(url).pathname.slice(1);
  const admin = connect(t, url);
  const NEEDED = ["enable_indexonlyscan", "enable_indexscan", "enable_nestloop"];
  for (const setting of NEEDED) await admin.unsafe(`alter database ${name} set ${setting} = off`);
  const database = await openPostgres(url);
  t.after(() => database.close());
  for (const setting of NEEDED) {
    const shown = await database.transaction((tx) => tx.query(`show ${setting}`));
    assert.deepEqual(shown, [{ [setting]: "on" }]);
  }
});

test("the settings for kept plans end with their transaction, however it ends", async (t) => {
  const { database } = await openNew(t);
  await createTriples(database);
  const SETTINGS = `select name, setting from pg_settings
    where name in ('plan_cache_mode', 'enable_bitmapscan', 'enable_sort') order by name`;
  const readSettings = (keepsPlans: boolean) =>
    database.transaction((tx) => tx.query(SETTINGS), { keepsPlans });
  const before = await readSettings(false);
  assert.notDeepEqual(await readSettings(true), before);
  assert.deepEqual(await readSettings(false), before);
  const keep = (sql: string) => database.transaction((tx) => tx.query(sql), { keepsPlans: true });
  const INSERT_ONE = "insert into triple (writer, number, part) values ('w', 1, 1)";
  await assert.rejects(keep("select 1 / 0"));
  assert.deepEqual(await readSettings(false), before);
  // The group runs again in savepoints.
  const results = await Promise.allSettled([
    keep(INSERT_ONE),
    keep("select 1 / 0"),
    keep("select 1"),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(await readSettings(false), before);
});

test("a transaction keeps plans when it says so, and the next one on its connection does not", async (t) => {
  const { database } = await openNew(t);
  await createTriples(database);
  const INSERTS = `select statement, generic_plans, custom_plans from pg_prepared_statements
    where statement like 'insert into triple%' order by statement`;
  for (let number = 0; number < 8; number++) {
    await database.transaction((tx) => tx.query(INSERT, [number]), { keepsPlans: true });
    await write(database, `${INSERT} returning part`, [100 + number]);
  }
  const made = await database.transaction((tx) => tx.query(INSERTS));
  assert.deepEqual(made, [
    { statement: INSERT, generic_plans: 8, custom_plans: 0 },
    { statement: `${INSERT} returning part`, generic_plans: 0, custom_plans: 8 },
  ]);
});

test("a watch heals after its connection was lost, and tells of what it may have missed", async (t) => {
  const { database, url } = await openNew(t);
  await database.transaction((tx) => tx.script("create table item (id bigint primary key)"));
  const watched = watchCommits(database);
  t.after(() => watched.watch.close());
  await watched.settle();
  const admin = connect(t, url);
  const listeners = () =>
    admin.unsafe<{ pid: number }[]>(
      `select pid from pg_stat_activity where datname = current_database()
         and (query like 'listen %' or query like 'select pg_notify(%')`,
    );
  const [lost] = await listeners();
  assert.ok(lost !== undefined, "one connection listens");
  await assertNoticed(watched, () => admin.unsafe("select pg_terminate_backend($1)", [lost.pid]));
  await assertNoticed(watched, () => commitAndNotify(database, 1));
  await watched.settle();
  const isHealed = async () => {
    const [healed, ...others] = await listeners();
    return healed !== undefined && healed.pid !== lost.pid && others.length === 0;
  };
  while (!(await isHealed())) await wait(20);
  await assertNoticed(watched, () => commitAndNotify(database, 2));
});

test("a commit is told of although the connection that tells is lost", async (t) => {
  const { database, url } = await openNew(t);
  await database.transaction((tx) => tx.script("create table item (id bigint primary key)"));
  const writing = await openPostgres(url);
  t.after(() => writing.close());
  await commitAndNotify(writing, 1);
  const watched = watchCommits(database);
  t.after(() => watched.watch.close());
  await watched.settle();
  const admin = connect(t, url);
  const lost = await admin.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'select pg_notify(%'`,
  );
  assert.equal(lost.length, 1);
  await assertNoticed(watched, () => commitAndNotify(writing, 2));
});

test("a server that stops fails every request, and works again when it is back", async (t) => {
  const server = await startOwnPostgres();
  const database = await openPostgres(await server.createDatabase(), { connectTimeoutMs: 1000 });
  t.after(() => database.close());
  await createTriples(database);
  await write(database, INSERT, [1]);
  await database.query("select 1");
  const inside = Promise.withResolvers<void>();
  const away = Promise.withResolvers<void>();
  const interrupted = database.transaction(async (tx) => {
    await tx.query(INSERT, [2]);
    inside.resolve();
    await away.promise;
    await tx.query(INSERT, [3]);
  });
  const checked = assert.rejects(interrupted, StorageUnavailableError);
  await inside.promise;
  await server.stopServer();
  away.resolve();
  await checked;
  for (const attempt of [
    () => database.query("select 1"),
    () => write(database, INSERT, [4]),
    () => database.transaction((tx) => tx.query(INSERT, [5])),
    () => database.stream("select 1")[Symbol.asyncIterator]().next(),
  ]) {
    await assert.rejects(attempt, (error: unknown) => {
      assert.ok(error instanceof StorageUnavailableError, String(error));
      assertNoSecret(error);
      return true;
    });
  }
  await server.startServer();
  await write(database, INSERT, [6]);
  await Promise.all([database.query("select 1"), database.query("select 1")]);
  const numbers = (await readTriples(database)).get("w")?.numbers;
  assert.deepEqual(numbers, [1, 6]);
});

test("connections that died while idle are replaced without an error", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  await Promise.all(Array.from({ length: 4 }, () => database.query("select 1")));
  await endOthers(connect(t, url));
  await Promise.all(Array.from({ length: 4 }, () => database.query("select 1")));
  await endOthers(connect(t, url));
  await write(database, INSERT, [1]);
});

test("a connection that goes silent without closing is replaced", async (t) => {
  const { url } = await openNew(t);
  const proxy = await startProxy(t, url);
  const database = await openPostgres(proxy.url, { maxReaders: 1, statementTimeoutMs: 100 });
  t.after(() => database.close());
  await database.query("select 1");
  proxy.silence();
  assert.deepEqual(await database.query("select 1 as one"), [{ one: 1 }]);
});

test("a statement whose connection is reset fails at once, and the next one succeeds", async (t) => {
  const { url } = await openNew(t);
  const proxy = await startProxy(t, url);
  const database = await openPostgres(proxy.url);
  t.after(() => database.close());
  await createTriples(database);
  for (const number of [1, 2, 3]) {
    const startedAt = performance.now();
    const cut = database.transaction(async (tx) => {
      await tx.query(INSERT, [10 + number]);
      setTimeout(proxy.reset, 20);
      await tx.query("select pg_sleep(0.2)::text");
    });
    const reading = database.query("select pg_sleep(0.2)::text");
    await assert.rejects(cut, StorageUnavailableError);
    await reading;
    await write(database, INSERT, [number]);
    assert.ok(performance.now() - startedAt < 3000, "nothing waits for a statement timeout");
  }
  assert.deepEqual((await readTriples(database)).get("w")?.numbers, [1, 2, 3]);
});

test("a proxy without its server is an error at once, not a storm of connections", async (t) => {
  let connections = 0;
  const proxy = createServer((client) => {
    connections++;
    client.on("error", () => {}).end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  await assert.rejects(openPostgres(`postgres://u:p@127.0.0.1:${port}/d`), StorageUnavailableError);
  assert.ok(connections <= 4, `${connections} connections`);
});

test("statements that wait for a lost connection do not run on another one", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  const admin = connect(t, url);
  const cut = database.transaction(async (tx) => {
    setTimeout(() => void endOthers(admin), 50);
    await Promise.all([
      tx.query("select pg_sleep($1)::text", [0.5]),
      tx.query(INSERT, [1]),
      tx.query(INSERT, [2]),
    ]);
  });
  await assert.rejects(cut, StorageUnavailableError);
  await write(database, INSERT, [3]);
  await wait(100);
  assert.deepEqual((await readTriples(database)).get("w")?.numbers, [3]);
});

test("a transaction whose connection is cut stores nothing, and the next one succeeds", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  const admin = connect(t, url);
  const cut = database.transaction(async (tx) => {
    await tx.query(INSERT, [1]);
    await endOthers(admin);
    await wait(50);
    await tx.query(INSERT, [2]);
  });
  const next = write(database, INSERT, [3]);
  await assert.rejects(cut, StorageUnavailableError);
  await next;
  assert.deepEqual((await readTriples(database)).get("w")?.numbers, [3]);
});

test("a stream whose connection is cut fails instead of ending early", async (t) => {
  const { database, url } = await openNew(t);
  const admin = connect(t, url);
  let rows = 0;
  const reading = (async () => {
    for await (const _ of database.stream("select n from generate_series(1, 5000) as n")) {
      if (++rows === 600) await endOthers(admin);
    }
  })();
  await assert.rejects(reading, StorageUnavailableError);
  assert.ok(rows < 5000);
});

test("a transaction that loses a deadlock runs again", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  await Promise.all([write(database, INSERT, [1]), write(database, INSERT, [2])]);
  const other = connect(t, url);
  const update = (number: number) =>
    `update triple set body = body || 'x' where number = ${number}`;
  const [oursHasLock, otherHasLock] = [Promise.withResolvers(), Promise.withResolvers()];
  const admin = connect(t, url);
  const isOtherWaiting = async () =>
    (
      await admin`select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    ).length > 0;
  let runs = 0;
  const both = await Promise.allSettled([
    database.transaction(async (tx) => {
      runs++;
      await tx.query("set local deadlock_timeout = '50ms'");
      await tx.query(update(1));
      oursHasLock.resolve(null);
      await otherHasLock.promise;
      while (runs === 1 && !(await isOtherWaiting())) await wait(10);
      await tx.query(update(2));
    }),
    other.begin(async (sql) => {
      await sql.unsafe("set local deadlock_timeout = '5s'");
      await sql.unsafe(update(2));
      otherHasLock.resolve(null);
      await oursHasLock.promise;
      await sql.unsafe(update(1));
    }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["fulfilled", "fulfilled"],
  );
  // On a busy machine the second run may lose too.
  assert.ok(runs >= 2);
});

test("a writer that waits too long for another gives up with that reason", async (t) => {
  const { database, url } = await openNew(t, { lockTimeoutMs: 200, idleTimeoutMs: 1000 });
  await createTriples(database);
  const slow = await openPostgres(url);
  t.after(() => slow.close());
  const inside = Promise.withResolvers<void>();
  const holding = slow.transaction(async (tx) => {
    await tx.query("select 1");
    inside.resolve();
    await wait(600);
  });
  await inside.promise;
  await assert.rejects(write(database, INSERT, [1]), /other writers hold it for too long/);
  await holding;
  await write(database, INSERT, [1]);
});

test("a commit that is sent with a write commits nothing when the write fails", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  const timeouts = { statementTimeoutMs: 300, lockTimeoutMs: 100, idleTimeoutMs: 5000 };
  const settings = { ...timeouts, connectTimeoutMs: 5000 };
  const connection = await postgresServers(url).open(settings, "write");
  t.after(() => connection.close());
  const insert = { sql: INSERT, params: [2] };
  for (const [sql, expected] of [
    ["insert into no_such_table values (1)", /42P01/],
    // The server ends it, and the commit that waits behind it is a rollback.
    ["insert into triple (number, body) select 9, pg_sleep(2)::text", /took too long/],
    // Prepared before, so that write and commit really travel together.
    ["insert into no_such_table values (1)", /42P01/],
  ] as const) {
    await connection.command("begin read write");
    await connection.query(INSERT, [1]);
    await assert.rejects(connection.commit([insert, { sql }]), expected);
    assert.equal((await readTriples(database)).size, 0);
  }
  await connection.command("begin read write");
  assert.equal(await connection.commit([insert]), true);
  assert.equal((await readTriples(database)).size, 1);
});

test("a statement that takes too long is ended", async (t) => {
  const { database } = await openNew(t, { statementTimeoutMs: 100 });
  await assert.rejects(database.query("select pg_sleep(5)::text"), StorageUnavailableError);
  await database.query("select 1");
});

test("readers wait for a free connection", async (t) => {
  const { database } = await openNew(t, { maxReaders: 2 });
  const sleep = () => database.query("select pg_sleep(0.03)::text");
  await Promise.all(Array.from({ length: 8 }, sleep));
});

test("readers do not wait for a free connection forever", async (t) => {
  const { database } = await openNew(t, { maxReaders: 2, lockTimeoutMs: 100 });
  const sleep = (seconds: number) => database.query(`select pg_sleep(${seconds})::text`);
  const results = await Promise.allSettled([sleep(0.6), sleep(0.6), sleep(0)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected"],
  );
  assert.match(String(results[2].status === "rejected" && results[2].reason), /all connections/);
  await sleep(0);
});

test("no error contains an address, a name or a password", async (t) => {
  const { url } = await openNew(t);
  const change = (edit: (parts: URL) => void) => {
    const parts = new URL(url);
    edit(parts);
    return parts.href;
  };
  const wrong = [
    change((parts) => (parts.password = "another-s3cret")),
    change((parts) => (parts.pathname = "/no-such-s3cret-database")),
    change((parts) => (parts.port = "1")),
    change((parts) => (parts.hostname = "s3cret-host.invalid")),
    "postgres://user:s3cret%zz@[",
  ];
  for (const address of wrong) {
    const error: unknown = await openPostgres(address, { connectTimeoutMs: 2000 }).catch((e) => e);
    assert.ok(error instanceof Error);
    assertNoSecret(error);
  }
});

test("two processes write to one server and neither is starved", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  const names = ["a", "b"];
  const children = names.map((name) => runChild("write-triples.ts", [url, name, "8", "200"]));
  await Promise.all(children.map(({ ending }) => ending));
  const triples = await readTriples(database);
  for (const name of names) {
    assert.equal(triples.get(name)?.numbers.length, 200);
    assert.equal(triples.get(name)?.areWhole, true);
  }
});

test("a process killed while it commits leaves whole transactions, all it acknowledged", async (t) => {
  const { database, url } = await openNew(t);
  await createTriples(database);
  for (const name of ["a", "b", "c"]) {
    const child = runChild("write-triples.ts", [url, name, "6"]);
    await child.started;
    await wait(Math.random() * 60);
    child.process.kill("SIGKILL");
    const lines = (await child.ending).split("\n").slice(0, -1).map(Number);
    // The next writer gets the lock as soon as the server has seen the death.
    await write(database, "update triple set body = body where false");
    const triples = (await readTriples(database)).get(name);
    assert.equal(triples?.areWhole, true);
    assert.ok(lines.every((number) => triples.numbers.includes(number)));
  }
});

async function openNew(t: TestContext, options?: PostgresOptions) {
  const url = await (await startPostgres()).createDatabase();
  const database = await openPostgres(url, options);
  t.after(() => database.close());
  return { database, url };
}

function connect(t: TestContext, url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => sql.end({ timeout: 1 }));
  return sql;
}

async function endOthers(sql: postgres.Sql): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await wait(30);
}

function assertNoSecret(error: Error): void {
  assert.equal(error.cause, undefined);
  const shown = Reflect.ownKeys(error).map((key) => String(Reflect.get(error, key)));
  for (const word of ["s3cret", "a-password-nobody-may-see", "127.0.0.1", "trellis_test"]) {
    assert.ok(!shown.join("\n").includes(word), `${word} in ${error.message}`);
  }
}
