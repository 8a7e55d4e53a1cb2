/** Which server of an address is used. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import postgres from "postgres";
import { StorageUnavailableError } from "../../src/database/database.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { freePort, freePorts } from "../fixtures/free-port.ts";
import { startPostgres } from "./start-postgres.ts";

test("a server that does not respond is passed over, whatever the target", async (t) => {
  const { url, withHosts } = await createAddress();
  const dead = `127.0.0.1:${await freePort()}`;
  for (const target of ["any", "read-write", "primary"]) {
    for (const hosts of [`${dead},${url.host}`, `${url.host},${dead}`]) {
      const database = await open(t, `${withHosts(hosts)}?target_session_attrs=${target}`);
      assert.deepEqual(await database.query("select 1 as one"), [{ one: 1 }]);
    }
  }
});

test("a server that accepts connections and says nothing delays the others for a bounded time", async (t) => {
  const { url, withHosts } = await createAddress();
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  t.after(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  for (const target of ["any", "read-write"]) {
    const startedAt = performance.now();
    const hosts = withHosts(`127.0.0.1:${port},${url.host}`);
    const database = await open(t, `${hosts}?connect_timeout=1&target_session_attrs=${target}`);
    assert.deepEqual(await database.query("select 1 as one"), [{ one: 1 }]);
    const delay = performance.now() - startedAt;
    assert.ok(delay > 900 && delay < 5000, `${target}: after ${delay} ms`);
  }
});

test("two names of one server are no two primaries", async (t) => {
  const { url, withHosts } = await createAddress();
  const database = await open(t, withHosts(`127.0.0.1:${url.port},localhost:${url.port}`));
  assert.deepEqual(await database.query("select 1 as one"), [{ one: 1 }]);
});

test("read-write refuses a server whose transactions are read-only by default, primary does not", async (t) => {
  const { url } = await createAddress();
  const sql = postgres(url.href, { max: 1 });
  t.after(() => sql.end({ timeout: 1 }));
  const name = url.pathname.slice(1);
  await sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  await assert.rejects(
    openPostgres(`${url.href}?target_session_attrs=read-write`),
    /read-only by its setting default_transaction_read_only/,
  );
  const database = await open(t, `${url.href}?target_session_attrs=primary`);
  await database.transaction((tx) => tx.query("create table written (id integer)"));
});

test("when no server can be used, the error has the reason of each and no address", async () => {
  const { withHosts } = await createAddress();
  const [one, other] = await freePorts(2);
  await assert.rejects(
    openPostgres(withHosts(`127.0.0.1:${one},127.0.0.1:${other}`)),
    (error: unknown) => {
      assert.ok(error instanceof StorageUnavailableError);
      assert.match(
        error.message,
        /server 1: the connection failed \(ECONNREFUSED\); server 2: the/,
      );
      assert.doesNotMatch(error.message, /127\.0\.0\.1|a-password-nobody-may-see/);
      return true;
    },
  );
});

async function createAddress() {
  const url = new URL(await (await startPostgres()).createDatabase());
  const { username, password, pathname } = url;
  return {
    url,
    withHosts: (hosts: string) => `postgres://${username}:${password}@${hosts}${pathname}`,
  };
}

async function open(t: TestContext, address: string) {
  const database = await openPostgres(address);
  t.after(() => database.close());
  return database;
}
