/** Whatever bytes a service gets, an error that it sends is one of its closed table. */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { after, before, test, type TestContext } from "node:test";
import { isObject } from "../../src/contract/is-object.ts";
import {
  EVENTS_STRICTNESS,
  RELEASE_STRICTNESS,
  SYNC_STRICTNESS,
  type Strictness,
} from "../../src/contract/strictness.ts";
import { createSeededRandom, type SeededRandom } from "../fixtures/seeded-random.ts";
import { createBrokenEventsServers, type BrokenEventsServers } from "./broken-events-server.ts";
import { createBrokenServers, type BrokenServers } from "./broken-release-server.ts";
import { createBrokenSyncServers, type BrokenSyncServers } from "./broken-sync-server.ts";

const REQUESTS = 400;

const METHODS = [
  "GET",
  "GET",
  "HEAD",
  "POST",
  "DELETE",
  "OPTIONS",
  "CONNECT",
  "FOO",
  "get",
  "PRI",
  "\0",
];
const VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "ICE/1.0", ""];
const SUFFIXES = ["", "", "?limit=05", "?x=%zz", "?", "/", "\0", "\x7f", "\xff", "%zz", "#a", " b"];
const LONG = [`?${"x".repeat(9_000)}`, `?${"x".repeat(17_000)}`];
const HEADERS = [
  "Host: a",
  "Host: b",
  "Expect: 100-continue",
  "Expect: tea",
  "Content-Length: 3",
  "Content-Length: 4",
  "Content-Length: 99999999",
  "Content-Length: -1",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip",
  "Content-Type: application/json; charset=latin1",
  "Content-Type: application/json",
  "Content-Type: application/x-www-form-urlencoded",
  "Content-Encoding: gzip",
  "Connection: Upgrade\r\nUpgrade: h2c",
  "Authorization: Bearer x",
  "Origin: https://elsewhere.example",
  "Bad Name: x",
  " folded",
  "X: a\0b",
  `X-Long: ${"a".repeat(17_000)}`,
];
const BODIES = [
  "",
  "",
  "{}{",
  "\xef\xbb\xbf{}",
  '{"a":1,"a":1}',
  "0\r\n\r\n",
  "3\r\n{}{\r\n0\r\n\r\n",
  "zz\r\n",
];

function makeRequest(paths: readonly string[], { below, pick }: SeededRandom): string {
  const target =
    (below(6) === 0 ? "http://a" : "") + pick(paths) + pick(below(9) === 0 ? LONG : SUFFIXES);
  const headers = Array.from({ length: below(4) }, () => pick(HEADERS));
  const host = below(8) === 0 ? [] : ["Host: a"];
  const head = [`${pick(METHODS)} ${target} ${pick(VERSIONS)}`, ...host, ...headers].join("\r\n");
  const text = `${head}\r\n\r\n${pick(BODIES)}`;
  // Some requests end in the middle, some are followed by another one.
  if (below(6) === 0) return text.slice(0, below(text.length));
  return below(6) === 0 ? text + makeRequest(paths, { below, pick }) : text;
}

/** Ends the connection behind the bytes, so that no server waits for more. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.setEncoding("latin1");
    socket.on("data", (text) => (received += String(text)));
    socket.on("error", () => {});
    socket.on("end", () => socket.destroy());
    socket.on("close", () => resolve(received));
    socket.end(bytes, "latin1");
  });
}

/** The pairs of the responses of a connection; a page has no code, and the response to HEAD no body. */
function readErrors(received: string, codeOf: (body: unknown) => unknown): string[] {
  const heads = received.matchAll(
    /HTTP\/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r\n]+\r\n)*)\r\n([^]*?)(?=HTTP\/1\.1 \d{3} |$)/g,
  );
  return [...heads].flatMap(([, status, head = "", body = ""]) => {
    if (Number(status) < 400) return [];
    if (body === "" || !/^content-type: application\/json/im.test(head)) return [`${status}`];
    return [`${status} ${String(codeOf(JSON.parse(body)))}`];
  });
}

async function checkPairs(
  t: TestContext,
  url: string,
  paths: readonly string[],
  { pairs }: Pick<Strictness<string>, "pairs">,
): Promise<void> {
  const seed = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 31));
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const declared = new Set(pairs.flatMap(({ status, code }) => [`${status}`, `${status} ${code}`]));
  const codeOf = (body: unknown) => {
    const { error } = body as { error: unknown };
    return isObject(error) ? error["code"] : error;
  };
  const met = new Set<string>();
  for (let index = 0; index < REQUESTS; index++) {
    const request = makeRequest(paths, createSeededRandom(seed + index));
    const received = await exchange(Number(new URL(url).port), request);
    assert.ok(received === "" || received.startsWith("HTTP/1.1 "), JSON.stringify(received));
    for (const error of readErrors(received, codeOf)) {
      assert.ok(declared.has(error), `${error} to ${JSON.stringify(request)} (${seed}, ${index})`);
      met.add(error);
    }
  }
  t.diagnostic([...met].toSorted().join(", "));
  assert.ok([...met].some((pair) => pair.startsWith("404 ")));
}

let release: BrokenServers;
let sync: BrokenSyncServers;
let events: BrokenEventsServers;
before(async () => {
  release = await createBrokenServers();
  sync = await createBrokenSyncServers();
  events = await createBrokenEventsServers();
});
after(async () => {
  await release.close();
  await sync.close();
  await events.close();
});

test("every error of the release service is a pair of its contract", (t) =>
  release.serve(null, ({ baseUrl }) =>
    checkPairs(
      t,
      baseUrl,
      ["/health", "/api/v1/releases", "/api/v1/update/linux?version=1.0.0&build=1", "/no", "*"],
      RELEASE_STRICTNESS,
    ),
  ));

test("every error of the sync service is a pair of its table", (t) =>
  sync.serve(null, ({ baseUrl }) =>
    checkPairs(
      t,
      baseUrl,
      ["/v1/health", "/v1/pull", "/v1/refresh", "/v1/authorize", "/v1/device", "/no", "*"],
      SYNC_STRICTNESS,
    ),
  ));

test("every error of the events service is a pair of its table", (t) =>
  events.serve(null, ({ baseUrl }) =>
    checkPairs(
      t,
      baseUrl,
      [
        "/health",
        "/api/events",
        "/api/oauth/token",
        "/api/oauth/authorize",
        "/sign-in",
        "/no",
        "*",
      ],
      EVENTS_STRICTNESS,
    ),
  ));
