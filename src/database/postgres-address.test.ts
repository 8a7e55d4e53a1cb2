import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePostgresAddress, StoreAddressError } from "./postgres-address.ts";

test("an address has several servers, each with its port", () => {
  const { servers, user, password, database, target } = parsePostgresAddress(
    "postgres://ada:s%40cret%3A@db1:5433,db2,[::1]:5434,10.0.0.7,%2Frun%2Fpostgresql/trellis?target_session_attrs=primary",
  );
  assert.deepEqual(servers, [
    { host: "db1", port: 5433 },
    { host: "db2", port: 5432 },
    { host: "::1", port: 5434 },
    { host: "10.0.0.7", port: 5432 },
    { host: "/run/postgresql", port: 5432 },
  ]);
  assert.deepEqual([user, password, database, target], ["ada", "s@cret:", "trellis", "primary"]);
});

test("several servers are asked for the one that can be written, a single one is not", () => {
  const targetOf = (address: string) => parsePostgresAddress(address).target;
  assert.equal(targetOf("postgres://a,b/d"), "read-write");
  assert.equal(targetOf("postgres://a,b/d?target_session_attrs=any"), "any");
  assert.equal(targetOf("postgres://a/d"), "any");
  assert.equal(targetOf("postgresql://a/d?target_session_attrs=read-write"), "read-write");
});

test("what an address leaves out has a default or is left to the system", () => {
  assert.deepEqual(parsePostgresAddress("postgres://"), {
    servers: [{ host: "localhost", port: 5432 }],
    user: null,
    password: null,
    database: null,
    target: "any",
    tls: { mode: "prefer", rootCertificates: null },
    connectTimeoutMs: null,
    settings: {},
    isPooled: false,
    listen: [{ host: "localhost", port: 5432 }],
    notifies: true,
  });
});

test("a pooler is listened to at the servers that are named, or not at all", () => {
  const parse = (query: string) => {
    const { isPooled, listen, notifies } = parsePostgresAddress(`postgres://pooler/d?${query}`);
    return { isPooled, listen, notifies };
  };
  assert.deepEqual(parse("pool=transaction"), { isPooled: true, listen: null, notifies: true });
  assert.deepEqual(parse("pool=transaction&listen=a,b:6000").listen, [
    { host: "a", port: 5432 },
    { host: "b", port: 6000 },
  ]);
  assert.deepEqual(parse("listen=none"), { isPooled: false, listen: null, notifies: false });
  assert.throws(() => parse("pool=session"), /pool of the store's address must be one of/);
  assert.throws(() => parse("pool=transaction&options=x"), /ALTER ROLE … SET/);
});

test("TLS, the timeout and the settings of a session are parameters", () => {
  const { tls, connectTimeoutMs, settings } = parsePostgresAddress(
    "postgres://a/d?sslmode=verify-full&sslrootcert=/etc/my%20ca.pem&connect_timeout=3&search_path=one&options=-c%20work_mem%3D8MB",
  );
  assert.deepEqual(tls, { mode: "verify-full", rootCertificates: "/etc/my ca.pem" });
  assert.equal(connectTimeoutMs, 3000);
  assert.deepEqual(settings, { search_path: "one", options: "-c work_mem=8MB" });
  assert.deepEqual(parsePostgresAddress("postgres://a/d?sslrootcert=system").tls, {
    mode: "verify-full",
    rootCertificates: null,
  });
});

for (const [address, message] of [
  ["postgres://u:p#ss@s3cret/d", /percent-encoded/],
  ["postgres://u:s3cret%zz@a/d", /write %25/],
  ["postgres://s3cret:port/d", /write HOST:PORT/],
  ["postgres://s3cret:0/d", /write HOST:PORT/],
  ["postgres://s3cret:70000/d", /write HOST:PORT/],
  ["postgres://fe80::s3cret/d", /IPv6 address in brackets/],
  ["postgres://a,b/d?target_session_attrs=read-only", /one of any, read-write, primary$/],
  ["postgres://a,b/d?target_session_attrs=prefer-standby", /one of any, read-write, primary$/],
  ["postgres://a/d?sslmode=allow", /one of disable, prefer, require, verify-ca, verify-full$/],
  ["postgres://a/d?sslmode=verify-ca", /add sslrootcert=FILE/],
  ["postgres://a/d?sslrootcert=system&sslmode=require", /needs sslmode=verify-full/],
  ["postgres://a/d?sslmode=disable&sslmode=require", /has sslmode twice/],
  ["postgres://a/d?connect_timeout=0", /1 to 999 seconds/],
  ["postgres://a/d?password=s3cret", /not supported: it may have sslmode, /],
] as const) {
  test(`the address ${address} is refused with what to write instead`, () => {
    assert.throws(
      () => parsePostgresAddress(address),
      (error: unknown) => {
        assert.ok(error instanceof StoreAddressError);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      },
    );
  });
}
