import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { createChecker } from "../../src/contract/check.ts";
import { ErrorResponse } from "../../src/contract/release/schemas.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { openConnection } from "../fixtures/raw-connection.ts";
import { createSeededRandom, type SeededRandom } from "../fixtures/seeded-random.ts";
import { serveTrellis, writeConfiguration } from "./start-trellis.ts";

const REQUESTS = 3000;
const PARALLEL = 16;
/** A server may rightly wait for more bytes. */
const WAIT_MS = 150;

const WORDS = {
  method: [
    "GET",
    "GET",
    "GET",
    "GET",
    "HEAD",
    "OPTIONS",
    "POST",
    "DELETE",
    "TRACE",
    "PROPFIND",
    "get",
    "\0",
  ],
  path: [
    "/",
    "/health",
    "/download",
    "/api/v1/manifest",
    "/api/v1/releases",
    "/api/v1/releases/latest",
    "/api/v1/releases/1.0.1",
    "/api/v1/releases/1.0.1/downloads",
    "/api/v1/update/linux",
    "/api/v1/download/linux",
    "/api/v1/download/linux/x64",
    "*",
    "http://a/health",
    "//",
    "/..",
  ],
  bit: [
    "%",
    "%00",
    "%0d%0a",
    "%2e%2e",
    "%2F",
    "%ff",
    "%zz",
    "..",
    "//",
    "\\",
    "'",
    '"',
    "<x>",
    "\u00e4",
    "?",
    "&",
    "=",
    "+",
    ";",
    "#",
    "__proto__",
    "constructor",
    "a".repeat(300),
    "9".repeat(20),
    "-1",
  ],
  query: [
    "channel=beta",
    "channel=stable",
    "channel=x",
    "page=1",
    "page=0",
    "limit=100",
    "limit=1e2",
    "version=1.0.0",
    "version=v1",
    "build=1",
    "build=-1",
    "platform=android",
    "arch=..",
    "utm=%zz",
  ],
  header: [
    "If-None-Match: *",
    'If-None-Match: "a", W/"b',
    "User-Agent: Android",
    "User-Agent: curl/8",
    "Content-Length: 5",
    "Content-Length: x",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    "X-Forwarded-For: 1.1.1.1, x",
    "Range: bytes=0-1",
    "Connection: Upgrade",
    "Upgrade: h2c",
    "Accept-Encoding: gzip",
    "Cookie: a=b",
    "Origin: null",
    `X-Long: ${"a".repeat(4000)}`,
    "Bad Name: x",
  ],
} as const;

function makeRequest({ below, pick }: SeededRandom): string {
  const repeat = (limit: number, make: () => string) => Array.from({ length: below(limit) }, make);
  // Most requests are nearly valid, so that they get past the parser.
  const bits = below(3) === 0 ? repeat(3, () => pick(["/", ""]) + pick(WORDS.bit)) : [];
  const path = pick(WORDS.path) + bits.join("");
  const query = repeat(4, () => pick(below(3) === 0 ? WORDS.bit : WORDS.query)).join("&");
  const headers = ["Host: a", "Connection: close", ...repeat(3, () => pick(WORDS.header))];
  const body = below(8) === 0 ? "hello" : "";
  const line = `${pick(WORDS.method)} ${path}${query === "" ? "" : `?${query}`} HTTP/1.${pick("1110".split(""))}`;
  const request = `${[line, ...headers].join("\r\n")}\r\n\r\n${body}`;
  return below(3) === 0 ? mutate(request, { below, pick }) : request;
}

function mutate(request: string, { below, pick }: SeededRandom): string {
  let text = request;
  for (let round = below(4); round >= 0; round--) {
    const at = below(text.length);
    const change = pick(["flip", "cut", "double", "end"]);
    if (change === "flip") {
      text = text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1);
    } else if (change === "cut") {
      text = text.slice(0, at) + text.slice(at + 1 + below(10));
    } else if (change === "double") {
      text = text.slice(0, at) + text.slice(Math.max(0, at - below(30)));
    } else {
      text = text.slice(0, Math.max(1, at));
    }
  }
  return text;
}

const errors = createChecker(ErrorResponse);

function checkResponse(received: string): string {
  if (received === "") return "none";
  const match = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n([^]*)$/.exec(
    received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ""),
  );
  assert.ok(match !== null, `not an HTTP response: ${received.slice(0, 200)}`);
  const [, status = "", rest = ""] = match;
  assert.ok(Number(status) < 500, `the server failed with ${status}`);
  assert.match(received, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  // A response to HEAD has no body, and the next response follows.
  if (Number(status) < 400 || rest === "" || rest.startsWith("HTTP/1.1 ")) return status;
  // Further responses may follow on the same connection.
  const length = Number(/\r\nContent-Length: (\d+)/i.exec(received)?.[1]);
  const body: unknown = JSON.parse(Buffer.from(rest.slice(0, length), "latin1").toString());
  assert.deepEqual(errors.errors(body), []);
  return status;
}

async function sendRaw(port: number, request: string): Promise<string> {
  const connection = await openConnection(port);
  connection.send(request);
  const timer = setTimeout(() => connection.socket.destroy(), WAIT_MS);
  const received = await connection.closed;
  clearTimeout(timer);
  return received;
}

test(`${REQUESTS} random and mutated requests never fail the server`, async (t) => {
  const seed = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const fixture = await createCatalogFixture({ releases: 5 });
  t.after(fixture.remove);
  const server = await serveTrellis(t, await writeConfiguration(t, fixture.folder));
  const counts: Record<string, number> = {};
  const indexes = Array.from({ length: REQUESTS }, (_, index) => index).values();
  const work = async () => {
    for (const index of indexes) {
      const request = makeRequest(createSeededRandom(seed + index));
      const port = index % 4 === 0 ? server.smartDownloadPort : server.apiPort;
      try {
        const status = checkResponse(await sendRaw(port, request));
        counts[status] = (counts[status] ?? 0) + 1;
      } catch (error) {
        throw new Error(`FUZZ_SEED=${seed}, request ${index}: ${JSON.stringify(request)}`, {
          cause: error,
        });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  t.diagnostic(JSON.stringify(counts));
  // The requests reach every layer, not only the parser.
  for (const status of ["200", "302", "308", "400", "404"]) {
    assert.ok((counts[status] ?? 0) > 0, `no ${status}`);
  }
  assert.equal((await fetch(`${server.api}/health`)).status, 200);
  assert.equal(server.child.exitCode, null);
  server.child.kill("SIGTERM");
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  assert.doesNotMatch(server.stdout(), /unexpected_error/);
  assert.equal(server.stderr(), "");
});
