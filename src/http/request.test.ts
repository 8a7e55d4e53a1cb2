import assert from "node:assert/strict";
import { test } from "node:test";
import { isOpenedElsewhere } from "./request.ts";

const ORIGIN = "https://sync.example.com";
const PROXIED = { "x-forwarded-for": "203.0.113.9" };

for (const [headers, expected] of [
  [{ host: "sync.example.com" }, false],
  [{ host: "SYNC.example.com" }, false],
  [{ host: "other.example.com" }, true],
  [{ host: "sync.example.com:8443" }, true],
  [{ host: "127.0.0.1:4811" }, true],
  [{}, false],
  // A proxy that passes the host on, in one way or the other.
  [{ host: "sync.example.com", ...PROXIED }, false],
  [{ host: "other.example.com", ...PROXIED }, true],
  [{ host: "127.0.0.1:4811", "x-forwarded-host": "sync.example.com", ...PROXIED }, false],
  [{ host: "127.0.0.1:4811", "x-forwarded-host": "other.example.com", ...PROXIED }, true],
  // A proxy that replaces the host: at which one the page was opened is unknown.
  [{ host: "127.0.0.1:4811", ...PROXIED }, false],
  [{ host: "localhost:4811", ...PROXIED }, false],
  [{ host: "[::1]:4811", ...PROXIED }, false],
] as const) {
  test(`${JSON.stringify(headers)}: opened ${expected ? "elsewhere" : "at its own host"}`, () => {
    const header = (name: string) => (headers as Record<string, string>)[name] ?? null;
    assert.equal(isOpenedElsewhere({ header }, ORIGIN), expected);
  });
}

test("the port of the base URL counts", () => {
  const header = (name: string) => (name === "host" ? "localhost:4811" : null);
  assert.equal(isOpenedElsewhere({ header }, "http://localhost:4811"), false);
  assert.equal(isOpenedElsewhere({ header }, "http://localhost"), true);
});
