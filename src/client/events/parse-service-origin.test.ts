import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  ORIGIN_REFUSALS,
  parseServiceOrigin as parseWith,
  type OriginRefusal,
} from "../../rules/events/client/service-origin.ts";
import { parseServiceOrigin } from "./parse-service-origin.ts";

for (const [text, origin] of [
  ["https://planner.example.org", "https://planner.example.org"],
  ["https://planner.example.org/", "https://planner.example.org"],
  ["https://planner.example.org:443", "https://planner.example.org"],
  ["https://planner.example.org.", "https://planner.example.org"],
  ["HTTPS://Planner.Example.ORG:443/", "https://planner.example.org"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example"],
  ["https://ｐlanner.example", "https://planner.example"],
  ["https://localhost.example.org", "https://localhost.example.org"],
  ["https://local.example.org", "https://local.example.org"],
  ["https://10.example.org", "https://10.example.org"],
  ["https://8.8.8.8", "https://8.8.8.8"],
  ["https://172.32.0.1", "https://172.32.0.1"],
  ["https://[2606:4700:4700::1111]", "https://[2606:4700:4700::1111]"],
  ["https://[2606:4700:4700:0:0:0:0:1111]/", "https://[2606:4700:4700::1111]"],
] as const) {
  test(`accepts ${text}`, () => {
    assert.deepEqual(parseServiceOrigin(text), { kind: "accepted", origin });
  });
}

const REFUSED: Readonly<Record<OriginRefusal, readonly string[]>> = {
  empty: [""],
  characters: [
    " https://planner.example.org",
    "https://planner.example.org\n",
    "https://plan\tner.example.org",
    "https://planner.example.org\r\n/",
    "https://planner\u0000.example.org",
    "https://planner\u200b.example.org",
    "https://planner\u00ad.example.org",
    "https://planner\u202e.example.org",
    "https://planner\ud800.example.org",
    "https://planner.example.org\\",
    "https:\\\\planner.example.org",
    "https://planner.example.org\\@evil.example",
    "https://planner。example.org",
    "https://127．0．0．1",
    "https://127｡0｡0｡1",
    "https://planner.example.org／x",
  ],
  "not-https": [
    "planner.example.org",
    "http://planner.example.org",
    "ftp://planner.example.org",
    "https:planner.example.org",
    "https:/planner.example.org",
    "//planner.example.org",
    "javascript:alert(1)//https://planner.example.org",
    "file:///etc/passwd",
  ],
  credentials: [
    "https://me@planner.example.org",
    "https://me:secret@planner.example.org",
    "https://@planner.example.org",
    "https://:@planner.example.org",
    "https://planner.example.org@evil.example",
  ],
  path: [
    "https://planner.example.org/calendar",
    "https://planner.example.org//",
    "https://planner.example.org/.",
    "https://planner.example.org/a/..",
    "https://planner.example.org/%2e",
    "https:///planner.example.org",
  ],
  query: ["https://planner.example.org?", "https://planner.example.org/?a=1"],
  fragment: ["https://planner.example.org#", "https://planner.example.org/#top"],
  port: [
    "https://planner.example.org:8443",
    "https://planner.example.org:80",
    "https://planner.example.org:",
    "https://planner.example.org:0443",
    "https://planner.example.org:443:443",
    "https://[2606:4700:4700::1111]:444",
  ],
  "not-an-address": [
    "https://",
    "https:///",
    "https://256.1.1.1",
    "https://1.2.3.4.5",
    "https://[::g]",
    "https://[2606:4700::1111",
    "https://planner..example.org",
    "https://planner.example.org..",
    `https://${"a.".repeat(130)}example`,
    "https://pla<nner.example",
  ],
  "local-name": [
    "https://localhost",
    "https://localhost.",
    "https://LOCALHOST/",
    "https://planner.localhost",
    "https://planner.local",
    "https://planner.local.",
    "https://planner.LOCAL:443",
    "https://localhost.localdomain",
    "https://intranet",
    "https://ｌｏｃａｌｈｏｓｔ",
    "https://%6cocalhost",
    "https://planner.loc%61l",
    "https://planner.ｌocal",
  ],
  "private-address": [
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://0x7f000001",
    "https://0X7F.1",
    "https://017700000001",
    "https://127.0.0.1.",
    "https://0",
    "https://0.0.0.0",
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://172.31.255.255",
    "https://192.168.1.1",
    "https://192.168.257",
    "https://169.254.169.254",
    "https://100.64.0.1",
    "https://224.0.0.1",
    "https://255.255.255.255",
    "https://①②⑦.0.0.1",
    "https://%31%32%37.0.0.1",
    "https://[::]",
    "https://[::1]",
    "https://[0:0:0:0:0:0:0:1]",
    "https://[fe80::1]",
    "https://[fec0::1]",
    "https://[fc00::1]",
    "https://[fd12:3456:789a::1]",
    "https://[FD00::1]",
    "https://[ff02::1]",
    "https://[::ffff:127.0.0.1]",
    "https://[::ffff:8.8.8.8]",
    "https://[::ffff:7f00:1]",
    "https://[::127.0.0.1]",
    "https://[::10.0.0.1]",
    "https://[64:ff9b::10.0.0.1]",
    "https://[64:ff9b:1::8.8.8.8]",
    "https://[2002:7f00:1::]",
    "https://[2001:db8::1]",
  ],
  "disguised-host": [
    "https://134744072",
    "https://0x08080808",
    "https://8.8.2056",
    "https://010.8.8.8",
    "https://８.8.8.8",
    "https://plan%6eer.example.org",
    "https://planner%2eexample.org",
  ],
};

for (const [reason, texts] of Object.entries(REFUSED)) {
  test(`refuses as ${reason} and has one sentence for people`, () => {
    for (const text of texts) {
      assert.deepEqual(parseServiceOrigin(text), { kind: "refused", reason }, JSON.stringify(text));
    }
    assert.match(ORIGIN_REFUSALS[reason as OriginRefusal], /^[A-Z][^\n]+[^.]$/);
  });
}

test("does not believe a parser that mends more than it should", () => {
  const good = {
    protocol: "https:",
    username: "",
    password: "",
    hostname: "planner.example.org",
    port: "",
    pathname: "/",
    search: "",
    hash: "",
  };
  const parse = (changes: Partial<typeof good>) =>
    parseWith("https://planner.example.org", () => ({ ...good, ...changes }));
  assert.equal(parse({}).kind, "accepted");
  for (const [changes, reason] of [
    [{ protocol: "http:" }, "not-https"],
    [{ username: "me" }, "credentials"],
    [{ password: "secret" }, "credentials"],
    [{ pathname: "/x" }, "path"],
    [{ search: "?x" }, "query"],
    [{ hash: "#x" }, "fragment"],
    [{ port: "8443" }, "port"],
    [{ hostname: "evil.example" }, "disguised-host"],
    [{ hostname: "127.0.0.1" }, "private-address"],
    [{ hostname: "localhost" }, "local-name"],
  ] satisfies [Partial<typeof good>, OriginRefusal][]) {
    assert.deepEqual(parse(changes), { kind: "refused", reason });
  }
});

test("does not rely on a parser to understand old spellings of numbers", () => {
  const naive = (text: string) => ({
    protocol: "https:",
    username: "",
    password: "",
    hostname: text.slice("https://".length),
    port: "",
    pathname: "/",
    search: "",
    hash: "",
  });
  for (const host of ["0x7f.1", "127.1", "2130706433", "0177.0.0.1", "10.0.0.0x1"]) {
    assert.equal(parseWith(`https://${host}`, naive).kind, "refused", host);
  }
});

const byte = fc.integer({ min: 0, max: 255 });
const between = (min: number, max: number) => fc.integer({ min, max });
/** Every block of IPv4 that nobody on the internet can be reached at. */
const unreachable = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), between(64, 127), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), between(16, 31), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(198), between(18, 19), byte, byte),
  fc.tuple(between(224, 255), byte, byte, byte),
);
const radix = fc.constantFrom<(value: number) => string>(
  String,
  (value) => `0${value.toString(8)}`,
  (value) => `000${value.toString(8)}`,
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0x00${value.toString(16)}`,
);
/** What a parser undoes before it reads a host. */
const disguise = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (text) => text.replaceAll(/\d/g, (digit) => `%3${digit}`),
  (text) => text.replaceAll(".", "%2e"),
  (text) => text.replaceAll(".", "。"),
  (text) => `${text}.`,
);
const frame = fc.constantFrom<(host: string) => string>(
  (host) => `https://${host}`,
  (host) => `https://${host}/`,
  (host) => `HTTPS://${host}:443`,
);

test("refuses every spelling of an IPv4 address that is not public", () => {
  const spelled = fc
    .tuple(unreachable, between(1, 4), fc.tuple(radix, radix, radix, radix))
    .map(([bytes, parts, radixes]) => {
      const values: number[] = bytes.slice(0, parts - 1);
      values.push(bytes.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0));
      return values.map((value, index) => radixes[index]?.(value)).join(".");
    });
  fc.assert(
    fc.property(spelled, disguise, frame, (host, hide, put) => {
      assert.equal(parseServiceOrigin(put(hide(host))).kind, "refused");
    }),
    { numRuns: 2000 },
  );
});

test("refuses every IPv6 literal that carries an IPv4 address that is not public", () => {
  const spelled = fc
    .tuple(
      unreachable,
      fc.constantFrom("::ffff:", "::", "64:ff9b::", "0:0:0:0:0:FFFF:", "64:ff9b:1::"),
      fc.boolean(),
    )
    .map(([[a, b, c, d], prefix, isDotted]) =>
      isDotted
        ? `${prefix}${a}.${b}.${c}.${d}`
        : `${prefix}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`,
    );
  fc.assert(
    fc.property(spelled, frame, (address, put) => {
      assert.equal(parseServiceOrigin(put(`[${address}]`)).kind, "refused");
    }),
    { numRuns: 1000 },
  );
});

test("what is accepted is accepted again as the same origin, and is what fetch would ask", () => {
  const text = fc.oneof(
    fc.webUrl({ validSchemes: ["https"], withFragments: true, withQueryParameters: true }),
    fc.domain().map((domain) => `https://${domain}`),
    fc.string({ unit: "binary" }).map((host) => `https://${host}`),
    fc
      .string({ unit: fc.constantFrom(..."abc.%0x127:@/[]-_。．ß") })
      .map((host) => `https://${host}`),
  );
  fc.assert(
    fc.property(text, (address) => {
      const outcome = parseServiceOrigin(address);
      if (outcome.kind === "refused") return;
      assert.deepEqual(parseServiceOrigin(outcome.origin), outcome);
      assert.equal(new URL(outcome.origin).origin, outcome.origin);
      assert.equal(new URL(address).origin.replace(/\.$/, ""), outcome.origin);
    }),
    { numRuns: 3000 },
  );
});
