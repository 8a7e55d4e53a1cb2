import assert from "node:assert/strict";
import { test } from "node:test";
import { explainUnreachable } from "./explain-unreachable.ts";

/** As `fetch` fails: the reason is the cause, of several addresses the first. */
function failWith(code: string): Error {
  const cause = Object.assign(new Error(code), { code });
  return new TypeError("fetch failed", { cause });
}

for (const [url, error, message, remedy] of [
  ["https://sync.example.com", failWith("ENOTFOUND"), /host name that is not known/, /DNS/],
  ["https://sync.example.com", failWith("EAI_AGAIN"), /is not known/, /DNS/],
  ["http://ada.localhost:4811", failWith("ENOTFOUND"), /is not known/, /127\.0\.0\.1 ada\.loc/],
  [
    "http://localhost:4811",
    failWith("ECONNREFUSED"),
    /nothing listens at localhost:4811$/,
    /start/,
  ],
  [
    "http://localhost:4811",
    new TypeError("fetch failed", {
      cause: new AggregateError([Object.assign(new Error("no"), { code: "ECONNREFUSED" })]),
    }),
    /nothing listens/,
    /start/,
  ],
  ["https://a.example", failWith("CERT_HAS_EXPIRED"), /not valid at this time/, /clock/],
  ["https://a.example", failWith("ERR_TLS_CERT_ALTNAME_INVALID"), /for other names/, /a\.example/],
  [
    "https://a.example",
    failWith("SELF_SIGNED_CERT_IN_CHAIN"),
    /not trusted/,
    /NODE_EXTRA_CA_CERTS/,
  ],
  ["https://a.example", failWith("DEPTH_ZERO_SELF_SIGNED_CERT"), /not trusted/, /NODE_EXTRA_CA/],
  [
    "https://a.example",
    failWith("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    /not trusted.+UNABLE_TO_VERIFY/,
    /whole chain/,
  ],
  ["https://a.example", new DOMException("", "TimeoutError"), /not respond in time/, /firewall/],
  ["https://a.example", failWith("ECONNRESET"), /cannot be reached.+ECONNRESET/, /start/],
  ["https://a.example", new Error("bad port"), /cannot be reached from this machine$/, /start/],
] as const) {
  test(`${url}: ${error.name} ${message}`, () => {
    const explained = explainUnreachable(new URL(`${url}/v1/health`), error);
    assert.match(explained.problem, message);
    assert.match(explained.remedy, remedy);
  });
}

test("a correction of its own takes the place of the address", () => {
  const error = failWith("ENOTFOUND");
  const { remedy } = explainUnreachable(new URL("https://a.example/"), error, "run `trellis`");
  assert.equal(remedy, "create its DNS record, or run `trellis`");
});
