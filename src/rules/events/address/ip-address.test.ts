import assert from "node:assert/strict";
import { isIP, isIPv6 } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { parseIpAddress } from "./ip-address.ts";

test("an address is read into its bytes", () => {
  assert.deepEqual(parseIpAddress("203.0.113.9"), [203, 0, 113, 9]);
  assert.deepEqual(parseIpAddress("::"), Array(16).fill(0));
  assert.deepEqual(
    parseIpAddress("2001:DB8::a:10"),
    [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0, 0x10],
  );
  assert.deepEqual(
    parseIpAddress("::ffff:192.0.2.1"),
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 1],
  );
});

test("names and ambiguous spellings are no addresses", () => {
  for (const text of [
    "",
    "example.com",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.0.0.01",
    "1.2.3.256",
    "1.2.3.4.5",
    " 1.2.3.4",
    "1.2.3.4 ",
    "[::1]",
    "fe80::1%eth0",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4::5:6:7:8",
    "1.2.3.4::",
    "::1.2.3.4:5",
    "::1.2.3",
    "12345::",
    ":1",
    "1:",
  ]) {
    assert.equal(parseIpAddress(text), null, text);
  }
});

test("every address Node knows is read, and nothing else", () => {
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.string({ unit: fc.constantFrom(..."0123456789abF:.%["), maxLength: 20 }),
  );
  fc.assert(
    fc.property(text, (text) => {
      assert.equal(parseIpAddress(text) !== null, isIP(text) !== 0 && !text.includes("%"), text);
    }),
    { numRuns: 5000 },
  );
});

test("bytes written in the way of the URL standard are read back", () => {
  const bytes = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 255 })), {
    minLength: 16,
    maxLength: 16,
  });
  fc.assert(
    fc.property(bytes, (bytes) => {
      const groups = Array.from({ length: 8 }, (_, index) =>
        (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
      );
      const written = new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1);
      assert.ok(isIPv6(written));
      assert.deepEqual(parseIpAddress(written), bytes);
    }),
  );
});
