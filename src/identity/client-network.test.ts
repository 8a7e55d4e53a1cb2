import assert from "node:assert/strict";
import { test } from "node:test";
import { clientNetworks, networkPrefix, networkShares } from "./client-network.ts";

for (const [address, network] of [
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["", ""],
  ["not an address", "not an address"],
] as const) {
  test(`${address || "no address"} counts as ${network || "an empty network"}`, () => {
    assert.equal(clientNetworks(address).at(-1), network);
  });
}

test("a client counts for its site and its provider too, which have larger shares", () => {
  const sharesOf = (address: string) =>
    networkShares(clientNetworks(address)).map(({ key, share }) => `${key} ${share}`);
  for (const [address, ...shares] of [
    ["192.0.2.7", "192.0.0.0/16 16", "192.0.2.0/24 4", "192.0.2.7 1"],
    ["::ffff:192.0.2.7", "192.0.0.0/16 16", "192.0.2.0/24 4", "192.0.2.7 1"],
    ["2001:db8:1:2:3::4", "2001:db8::/32 16", "2001:db8:1::/48 4", "2001:db8:1:2::/64 1"],
    ["olive", "olive 16", "olive 4", "olive 1"],
  ] as const) {
    assert.deepEqual(sharesOf(address), shares);
  }
});

test("a log gets the prefix of a network, from which no client can be told", () => {
  for (const [address, prefix] of [
    ["203.0.113.77", "203.0.113.0/24"],
    ["::ffff:203.0.113.77", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:DB8::1%eth0", "2001:db8:0::/48"],
    ["", null],
    ["olive", null],
  ] as const) {
    assert.equal(networkPrefix(address), prefix, address);
  }
});
