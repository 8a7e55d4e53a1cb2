import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { classifyAddress, isIpv4Mapped } from "./classify-address.ts";
import { parseIpAddress } from "./ip-address.ts";

/** False for a text that is no address. */
function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  return address !== null && classifyAddress(address) === "public";
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  public: ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd00:ec2::254", "fec0::1"],
  shared: ["100.64.0.1", "100.127.255.255", "100.100.100.200"],
  "link-local": ["169.254.169.254", "fe80::1", "febf::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  documentation: ["192.0.2.1", "198.51.100.7", "203.0.113.255", "2001:db8::1", "3fff::1"],
  benchmarking: ["198.18.0.1", "198.19.255.255", "2001:2::1"],
  metadata: ["168.63.129.16"],
  tunnel: ["192.88.99.1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2002:101:101::1"],
  reserved: [
    "192.0.0.192",
    "240.0.0.1",
    "255.255.255.255",
    "::127.0.0.1",
    "::1.1.1.1",
    "64:ff9b:1::1",
    "100::1",
    "2001:10::1",
    "2001:20::1",
    "4000::1",
    "5f00::1",
    "fe00::1",
  ],
};

for (const [kind, addresses] of Object.entries(KINDS)) {
  test(`addresses that are ${kind} are known`, () => {
    for (const text of addresses) {
      assert.equal(classifyAddress(parseIpAddress(text) ?? []), kind, text);
    }
  });
}

test("public IPv6 addresses are public", () => {
  for (const text of ["2606:4700:4700::1111", "2a00:1450:4001:80e::200e", "2001:200::1"]) {
    assert.ok(isPublicAddress(text), text);
  }
});

test("what is no address is not public", () => {
  for (const text of ["", "example.com", "127.1", "::1%lo", "[2606:4700::1]"]) {
    assert.ok(!isPublicAddress(text), text);
  }
});

/** The special IPv4 blocks as a BlockList of Node. */
const special = new BlockList();
for (const [start, end] of [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["168.63.129.16", "168.63.129.16"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "255.255.255.255"],
] as const) {
  special.addRange(start, end);
}

/** Any address, and often one at the edge of a block. */
const ipv4 = fc.oneof(
  fc.ipV4(),
  fc
    .tuple(
      fc.constantFrom("10", "100.63", "100.64", "100.127", "127", "169.254", "172.15", "172.31"),
      fc.constantFrom(0, 255),
    )
    .map(([start, fill]) => [...start.split("."), fill, fill, fill].slice(0, 4).join(".")),
  fc
    .tuple(
      fc.constantFrom("192.0.0", "192.0.2", "192.0.3", "192.88.99", "198.17.255", "198.19.9"),
      fc.constantFrom(0, 255),
    )
    .map(([start, last]) => `${start}.${last}`),
);

test("an IPv4 address is public exactly when no special block has it", () => {
  fc.assert(
    fc.property(ipv4, (text) => {
      assert.equal(isPublicAddress(text), !special.check(text), text);
    }),
    { numRuns: 3000 },
  );
});

test("an IPv4 address inside of IPv6 is as public as it is by itself", () => {
  fc.assert(
    fc.property(ipv4, fc.constantFrom("::ffff:", "64:ff9b::"), (text, prefix) => {
      assert.equal(isPublicAddress(prefix + text), isPublicAddress(text), prefix + text);
    }),
  );
  assert.ok(isIpv4Mapped(parseIpAddress("::ffff:8.8.8.8") ?? []));
  assert.ok(!isIpv4Mapped(parseIpAddress("64:ff9b::8.8.8.8") ?? []));
  assert.ok(!isIpv4Mapped(parseIpAddress("8.8.8.8") ?? []));
});

/** Teredo hides the client's address from whatever rewrites addresses (RFC 4380 4). */
const invert = (group: string) => (Number.parseInt(group, 16) ^ 0xffff).toString(16);

test("no address that wraps a special IPv4 address in another way is public", () => {
  fc.assert(
    fc.property(ipv4, (text) => {
      const [a = 0, b = 0, c = 0, d = 0] = parseIpAddress(text) ?? [];
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      for (const wrapped of [
        `::${text}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
        `2001:0:4136:e378:8000:63bf:${invert(high)}:${invert(low)}`,
        `64:ff9b:1::${text}`,
        `::ffff:0:${text}`,
      ]) {
        assert.ok(!isPublicAddress(wrapped), wrapped);
      }
    }),
  );
});

test("IPv6 outside of 2000::/3 is public only when it stands for a public IPv4 address", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const bytes = parseIpAddress(text) ?? [];
      if ((bytes[0] ?? 0) >> 5 === 1 || isIpv4Mapped(bytes)) return;
      if (text.toLowerCase().startsWith("64:ff9b:")) return;
      assert.ok(!isPublicAddress(text), text);
    }),
    { numRuns: 2000 },
  );
});
