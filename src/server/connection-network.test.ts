import assert from "node:assert/strict";
import { test } from "node:test";
import { createConnectionNetwork } from "./connection-network.ts";

test("loopback and trusted proxies count for no network, others for their address or /64", () => {
  const networkOf = createConnectionNetwork(["10.0.0.0/8", "2001:db8:ffff::1"]);
  for (const exempt of ["127.0.0.1", "127.3.2.1", "::ffff:127.0.0.1", "::1", "10.1.2.3"]) {
    assert.equal(networkOf(exempt), null, exempt);
  }
  assert.equal(networkOf("2001:db8:ffff::1"), null);
  assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
  assert.equal(networkOf("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(networkOf("2001:db8:1:2:3:4:5:6"), networkOf("2001:db8:1:2::9"));
  assert.notEqual(networkOf("2001:db8:1:2::9"), networkOf("2001:db8:1:3::9"));
});
