import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createClientAddressReader } from "./client-address.ts";

const TRUSTED = ["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48", "fe80::/10"];
const read = createClientAddressReader(TRUSTED);

test("without trusted proxies the socket decides, whatever the header says", () => {
  const readSocket = createClientAddressReader([]);
  fc.assert(
    fc.property(fc.ipV4(), fc.option(fc.string()), (socket, header) => {
      assert.equal(readSocket(socket, header), socket);
    }),
  );
});

test("the header of an untrusted client is ignored", () => {
  assert.equal(read("203.0.113.9", "1.1.1.1"), "203.0.113.9");
  assert.equal(read("203.0.113.9", "10.0.0.1"), "203.0.113.9");
  assert.equal(read("2001:db8:2::1", "1.1.1.1"), "2001:db8:2::1");
});

for (const [socket, header, client] of [
  ["10.0.0.1", null, "10.0.0.1"],
  ["10.0.0.1", "203.0.113.9", "203.0.113.9"],
  // A proxy appends the address it saw to what the client sent.
  ["10.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  ["10.0.0.1", "10.9.9.9, 203.0.113.9, 192.0.2.7, 10.0.0.2", "203.0.113.9"],
  ["10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"],
  ["10.0.0.1", "  203.0.113.9  ", "203.0.113.9"],
  ["10.0.0.1", "203.0.113.9:51234", "203.0.113.9"],
  ["10.0.0.1", "[2001:db8:2::1]:443", "2001:db8:2::1"],
  ["10.0.0.1", "[2001:db8:2::1]", "2001:db8:2::1"],
  ["2001:db8:1::5", "2001:db8:2::1", "2001:db8:2::1"],
  ["::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["::FFFF:10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
  ["10.0.0.1", "203.0.113.9, ::ffff:10.0.0.2", "203.0.113.9"],
  ["fe80::1%eth0", "203.0.113.9", "203.0.113.9"],
  // After a hop that is no address, the next one is the client.
  ["10.0.0.1", "", "10.0.0.1"],
  ["10.0.0.1", "unknown", "10.0.0.1"],
  ["10.0.0.1", "1.1.1.1, garbage, 10.0.0.2", "10.0.0.2"],
  ["10.0.0.1", "1.1.1.1,,10.0.0.2", "10.0.0.2"],
  ["10.0.0.1", "999.1.1.1", "10.0.0.1"],
  ["10.0.0.1", "1.1.1.1/8", "10.0.0.1"],
] as const) {
  test(`socket ${socket}, header ${JSON.stringify(header)}: the client is ${client}`, () => {
    assert.equal(read(socket, header), client);
  });
}

test("without a socket address the client is the empty string", () => {
  assert.equal(read(undefined, "1.1.1.1"), "");
});

test("a client cannot choose its address, whatever it sends", () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (sent, real) => {
      fc.pre(!real.startsWith("10.") && real !== "192.0.2.7");
      // The proxy appends what it saw to what the client sent.
      assert.equal(read("10.0.0.1", `${sent}, ${real}`), real);
    }),
  );
});
