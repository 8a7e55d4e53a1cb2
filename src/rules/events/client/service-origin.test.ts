import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../../../test/fixtures/any-code-point.ts";
import { ACCEPTED, REFUSED } from "../../../../test/client/events/origin-cases.ts";
import { ORIGIN_ERRORS, type OriginError } from "./origin-errors.ts";
import { parseServiceOrigin } from "./service-origin.ts";

for (const [text, origin] of ACCEPTED) {
  test(`accepts ${text}`, () => {
    assert.deepEqual(parseServiceOrigin(text), { kind: "accepted", origin });
  });
}

for (const [reason, texts] of Object.entries(REFUSED)) {
  test(`refuses as ${reason} and has one sentence for people`, () => {
    for (const text of texts) {
      assert.deepEqual(parseServiceOrigin(text), { kind: "refused", reason }, JSON.stringify(text));
    }
    assert.match(ORIGIN_ERRORS[reason as OriginError], /^[A-Z][^\n]+[^.]$/);
  });
}

test("checks the parsed address again, whatever the parser changed", () => {
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
    parseServiceOrigin("https://planner.example.org", () => ({ ...good, ...changes }));
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
    [{ hostname: "planner.localhost" }, "local-name"],
  ] satisfies [Partial<typeof good>, OriginError][]) {
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
    assert.equal(parseServiceOrigin(`https://${host}`, naive).kind, "refused", host);
  }
});

const byte = fc.integer({ min: 0, max: 255 });
const between = (min: number, max: number) => fc.integer({ min, max });
/** Every block of IPv4 that is not publicly routable. */
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
  const letter = fc.oneof(
    fc.constantFrom(..."aZ0-._~!$&'()*+,;=:@"),
    anyCodePoint.map(encodeURIComponent),
  );
  const part = fc.string({ unit: letter });
  const text = fc.oneof(
    fc
      .tuple(fc.webAuthority(), fc.array(part, { maxLength: 3 }), fc.option(part), fc.option(part))
      .map(([authority, path, query, fragment]) =>
        [
          `https://${authority}${path.map((name) => `/${name}`).join("")}`,
          query === null ? "" : `?${query}`,
          fragment === null ? "" : `#${fragment}`,
        ].join(""),
      ),
    fc.domain().map((domain) => `https://${domain}`),
    fc.string({ unit: anyCodePoint }).map((host) => `https://${host}`),
    fc
      .string({ unit: fc.constantFrom(..."abc.%0x127:@/[]-_。．ß") })
      .map((host) => `https://${host}`),
  );
  fc.assert(
    fc.property(text, (address) => {
      const result = parseServiceOrigin(address);
      if (result.kind === "refused") return;
      assert.deepEqual(parseServiceOrigin(result.origin), result);
      assert.equal(new URL(result.origin).origin, result.origin);
      assert.equal(new URL(address).origin.replace(/\.$/, ""), result.origin);
    }),
    { numRuns: 1000 },
  );
});
