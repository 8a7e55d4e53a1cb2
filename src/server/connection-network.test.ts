import assert from "node:assert/strict";
import { test } from "node:test";
import { createConnectionNetworks } from "./connection-network.ts";

const networksOf = createConnectionNetworks(["10.0.0.0/8", "2001:db8:ffff::1"]);

test("loopback and trusted proxies count for no network, others for their address or /64", () => {
  const ownNetwork = (address: string) => networksOf(address).at(-1);
  for (const exempt of ["127.0.0.1", "127.3.2.1", "::ffff:127.0.0.1", "::1", "10.1.2.3"]) {
    assert.deepEqual(networksOf(exempt), [], exempt);
  }
  assert.deepEqual(networksOf("2001:db8:ffff::1"), []);
  assert.deepEqual(ownNetwork("192.0.2.7"), { key: "192.0.2.7", share: 1 });
  assert.deepEqual(ownNetwork("::ffff:192.0.2.7"), { key: "192.0.2.7", share: 1 });
  assert.deepEqual(ownNetwork("2001:db8:1:2:3:4:5:6"), ownNetwork("2001:db8:1:2::9"));
  assert.notDeepEqual(ownNetwork("2001:db8:1:2::9"), ownNetwork("2001:db8:1:3::9"));
});

test("a connection counts for its wider networks too, which have a larger share", () => {
  assert.deepEqual(networksOf("2001:db8:1:2::9"), [
    { key: "2001:db8::/32", share: 16 },
    { key: "2001:db8:1::/48", share: 4 },
    { key: "2001:db8:1:2::/64", share: 1 },
  ]);
});
