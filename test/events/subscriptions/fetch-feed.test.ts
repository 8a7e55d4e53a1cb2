import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createAddressGuard } from "../../../src/events/subscriptions/address-guard.ts";
import {
  createFeedFetcher,
  MAX_FEED_BYTES,
  type FetchResult,
} from "../../../src/events/subscriptions/fetch-feed.ts";
import { serveOnLoopback } from "../../fixtures/loopback-server.ts";
import { FEED_HOST, OTHER_HOST, resolveTo, serveFeed } from "./https-server.ts";

const CALENDAR = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n";

const sendCalendar: RequestListener = (_request, response) => void response.end(CALENDAR);

function failedWith(result: FetchResult): string {
  assert.equal(result.kind, "failed", JSON.stringify(result).slice(0, 200));
  return result.kind === "failed" ? result.error : "";
}

function textOf(result: FetchResult): string {
  assert.equal(result.kind, "fetched", JSON.stringify(result).slice(0, 200));
  return result.kind === "fetched" ? Buffer.from(result.bytes).toString() : "";
}

test("a feed is fetched, and nothing is sent that identifies a person", async (t) => {
  const server = await serveFeed(t, (_request, response) => {
    response.setHeader("Set-Cookie", "id=1").setHeader("ETag", '"one"');
    response.setHeader("Last-Modified", "Mon, 02 Nov 2026 10:00:00 GMT").end(CALENDAR);
  });
  const fetch = server.fetcher();
  const result = await fetch(`${server.origin}/secret.ics?key=1#part`);
  assert.equal(textOf(result), CALENDAR);
  assert.ok(result.kind === "fetched");
  assert.equal(result.etag, '"one"');
  assert.equal(result.lastModified, "Mon, 02 Nov 2026 10:00:00 GMT");
  await fetch(`${server.origin}/secret.ics`);
  assert.equal(server.requests[0]?.url, "/secret.ics?key=1");
  assert.deepEqual(Object.keys(server.requests[1]?.headers ?? {}).sort(), [
    "accept",
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
});

test("webcal is https by another name", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  const result = await server.fetcher()(`webcal://${FEED_HOST}:${server.port}/`);
  assert.equal(textOf(result), CALENDAR);
});

test("addresses that are no plain https are refused without a connection", async () => {
  const fetch = createFeedFetcher({ resolve: () => assert.fail("A name was looked up") });
  for (const [address, error] of [
    ["http://feed.example/", "url-invalid"],
    ["ftp://feed.example/", "url-invalid"],
    ["file:///etc/passwd", "url-invalid"],
    ["https:feed.example", "url-invalid"],
    ["https:\\\\feed.example", "url-invalid"],
    ["/calendar.ics", "url-invalid"],
    ["", "url-invalid"],
    [`https://feed.example/${"x".repeat(2048)}`, "url-invalid"],
    ["https://me@feed.example/", "url-credentials"],
    ["https://me:secret@feed.example/", "url-credentials"],
    ["webcal://me:secret@feed.example/", "url-credentials"],
    ["https://feed.example:22/", "url-port"],
    ["https://feed.example:80/", "url-port"],
  ] as const) {
    assert.equal(failedWith(await fetch(address)), error, address);
  }
});

test("no spelling of an address that is not public is connected to", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  // The default guard; every name resolves to loopback.
  const fetch = server.fetcher({ guard: createAddressGuard() });
  for (const host of [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fd00::1]",
    "[fe80::1]",
    "10.0.0.1",
    "169.254.169.254",
    "100.100.100.200",
    "localhost",
    "localhost.",
    FEED_HOST,
  ]) {
    const result = await fetch(`https://${host}:${server.port}/`);
    assert.equal(failedWith(result), "address-refused", host);
  }
  assert.equal(server.requests.length, 0);
});

test("the system's own resolver is guarded too", async () => {
  const fetch = createFeedFetcher();
  assert.equal(failedWith(await fetch("https://localhost:44300/")), "address-refused");
});

test("a host of the operator's own network is fetched only under its name", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  const fetch = server.fetcher({ guard: createAddressGuard(["Feed.Example"]) });
  assert.equal(textOf(await fetch(`${server.origin}/`)), CALENDAR);
  const other = await fetch(`https://${OTHER_HOST}:${server.port}/`);
  assert.equal(failedWith(other), "address-refused");
  const byNumber = await fetch(`https://127.0.0.1:${server.port}/`);
  assert.equal(failedWith(byNumber), "address-refused");
});

test("a host of the operator's own network is not fetched from where clouds keep secrets", async () => {
  for (const address of ["169.254.169.254", "168.63.129.16", "fe80::1", "0.0.0.0", "224.0.0.1"]) {
    const fetch = createFeedFetcher({
      guard: createAddressGuard([FEED_HOST]),
      resolve: resolveTo(address),
    });
    assert.equal(failedWith(await fetch(`https://${FEED_HOST}/`)), "address-refused", address);
  }
});

/** A stand-in for a public address. */
const PUBLIC_STAND_IN = "127.0.0.2";
const allowStandIn = (_host: string, address: string) => address === PUBLIC_STAND_IN;

test("a name that changes its address between two questions gains nothing", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  const rebinding = resolveTo(PUBLIC_STAND_IN, "127.0.0.1");
  let questions = 0;
  const fetch = server.fetcher({
    guard: allowStandIn,
    resolve: (host, callback) => {
      questions++;
      rebinding(host, callback);
    },
    timeoutMs: 1000,
  });
  assert.notEqual(failedWith(await fetch(server.origin)), "address-refused");
  assert.equal(questions, 1);
  assert.equal(failedWith(await fetch(server.origin)), "address-refused");
  assert.equal(server.requests.length, 0);
});

test("a name that changes its address between two redirects gains nothing", async (t) => {
  const server = await serveFeed(t, (_request, response) => {
    response.writeHead(302, { Location: "/again" }).end();
  });
  let questions = 0;
  const fetch = server.fetcher({
    // The first lookup gives an allowed address, the second another one.
    guard: (_host, address) => address === "127.0.0.1" && questions === 1,
    resolve: (host, callback) => {
      questions++;
      resolveTo("127.0.0.1")(host, callback);
    },
  });
  assert.equal(failedWith(await fetch(server.origin)), "address-refused");
  assert.equal(questions, 2);
  assert.equal(server.requests.length, 1);
});

test("of several addresses only the public ones are tried", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  const fetch = server.fetcher({
    guard: allowStandIn,
    resolve: resolveTo(["127.0.0.1", PUBLIC_STAND_IN, "::1"]),
    timeoutMs: 1000,
  });
  assert.notEqual(failedWith(await fetch(server.origin)), "address-refused");
  assert.equal(server.requests.length, 0);
});

test("the address of the open connection is checked before anything is sent", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  let asked = 0;
  const fetch = server.fetcher({ guard: () => ++asked === 1 });
  assert.equal(failedWith(await fetch(`${server.origin}/`)), "address-refused");
  assert.equal(asked, 2);
  assert.equal(server.requests.length, 0);
});

test("redirects are followed three times, with every address checked", async (t) => {
  const server = await serveFeed(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return void response.end(CALENDAR);
    const host = left % 2 === 0 ? FEED_HOST : OTHER_HOST;
    response.writeHead([301, 302, 303, 307, 308][left] ?? 302, {
      Location: `https://${host}:${server.port}/${left - 1}`,
    });
    response.end("Elsewhere");
  });
  const fetch = server.fetcher();
  assert.equal(textOf(await fetch(`${server.origin}/3`)), CALENDAR);
  assert.equal(server.requests.length, 4);
  assert.equal(failedWith(await fetch(`${server.origin}/4`)), "too-many-redirects");
});

test("a relative redirect and one to webcal are followed", async (t) => {
  const server = await serveFeed(t, (request, response) => {
    if (request.url === "/b") return void response.end(CALENDAR);
    const webcal = `webcal://${FEED_HOST}:${server.port}/b`;
    response.writeHead(302, { Location: request.url === "/a/x" ? "../b" : webcal }).end();
  });
  assert.equal(textOf(await server.fetcher()(`${server.origin}/a/x`)), CALENDAR);
  assert.equal(textOf(await server.fetcher()(`${server.origin}/w`)), CALENDAR);
});

test("a redirect to a forbidden URL is refused", async (t) => {
  const plain: string[] = [];
  const http = await serveOnLoopback(t, (request, response) => {
    plain.push(request.url ?? "");
    response.end(CALENDAR);
  });
  const server = await serveFeed(t, (request, response) => {
    response.writeHead(302, { Location: decodeURIComponent(request.url?.slice(2) ?? "") }).end();
  });
  const fetch = server.fetcher();
  for (const [target, error] of [
    [`https://127.0.0.1:${server.port}/`, "address-refused"],
    [`https://[::ffff:127.0.0.1]:${server.port}/`, "address-refused"],
    ["https://10.0.0.1/", "address-refused"],
    ["https://169.254.169.254/latest/meta-data/", "address-refused"],
    [`https://third.example:${server.port}/`, "address-refused"],
    [`http://${FEED_HOST}:${server.port}/`, "redirect-refused"],
    [http, "redirect-refused"],
    ["https://me:secret@feed.example/", "redirect-refused"],
    ["https://feed.example:25/", "redirect-refused"],
    ["file:///etc/passwd", "redirect-refused"],
    ["data:text/calendar,BEGIN:VCALENDAR", "redirect-refused"],
    ["", "redirect-refused"],
  ] as const) {
    const seen = server.requests.length;
    const result = await fetch(`${server.origin}/?${encodeURIComponent(target)}`);
    assert.equal(failedWith(result), error, target);
    assert.equal(server.requests.length, seen + 1, target);
  }
  assert.deepEqual(plain, []);
});

test("an unchanged feed is recognised by its validators", async (t) => {
  const server = await serveFeed(t, ({ headers }, response) => {
    const isSame =
      headers["if-none-match"] === '"one"' && headers["if-modified-since"] === "yesterday";
    response.writeHead(isSame ? 304 : 200, { ETag: '"one"' }).end(isSame ? undefined : CALENDAR);
  });
  const fetch = server.fetcher();
  const known = { etag: '"one"', lastModified: "yesterday" };
  assert.deepEqual(await fetch(server.origin, known), { kind: "unchanged" });
  assert.equal(textOf(await fetch(server.origin, { ...known, etag: '"two"' })), CALENDAR);
});

test("a 304 to an unconditional request is an error", async (t) => {
  const server = await serveFeed(t, (_request, response) => void response.writeHead(304).end());
  assert.equal(failedWith(await server.fetcher()(server.origin)), "unexpected-status");
});

test("every status but 200 is an error", async (t) => {
  const server = await serveFeed(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { "Retry-After": "120" }).end(CALENDAR);
  });
  const fetch = server.fetcher();
  for (const [status, error] of [
    [201, "unexpected-status"],
    [204, "unexpected-status"],
    [206, "unexpected-status"],
    [300, "unexpected-status"],
    [400, "unexpected-status"],
    [401, "access-denied"],
    [403, "access-denied"],
    [404, "not-found"],
    [410, "not-found"],
    [429, "too-many-requests"],
    [500, "server-failed"],
    [503, "server-failed"],
  ] as const) {
    const result = await fetch(`${server.origin}/${status}`);
    assert.deepEqual(result, { kind: "failed", error, retryAfterMs: 120_000 }, String(status));
  }
});

test("a feed is unpacked from gzip, deflate and Brotli", async (t) => {
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  const server = await serveFeed(t, (request, response) => {
    const coding = request.url?.slice(1) as keyof typeof packers;
    response.setHeader("Content-Encoding", coding).end(packers[coding](CALENDAR));
  });
  for (const coding of Object.keys(packers)) {
    const result = await server.fetcher()(`${server.origin}/${coding}`);
    assert.equal(textOf(result), CALENDAR, coding);
  }
});

test("a bomb is stopped while it is unpacked", async (t) => {
  const flat = Buffer.alloc(80 * 1024 * 1024);
  const bombs: Record<string, Buffer> = {
    gzip: gzipSync(flat),
    deflate: deflateSync(flat),
    br: brotliCompressSync(flat, { params: { 1: 4 } }),
  };
  const server = await serveFeed(t, (request, response) => {
    const coding = request.url?.slice(1) ?? "";
    response.setHeader("Content-Encoding", coding).end(bombs[coding]);
  });
  for (const coding of Object.keys(bombs)) {
    const before = process.memoryUsage().arrayBuffers;
    const result = await server.fetcher()(`${server.origin}/${coding}`);
    assert.equal(failedWith(result), "too-large", coding);
    assert.ok(process.memoryUsage().arrayBuffers - before < 40 * 1024 * 1024, coding);
  }
});

test("an unknown, a double or an invalid compression is refused", async (t) => {
  const packed = gzipSync(CALENDAR.repeat(100));
  const server = await serveFeed(t, (request, response) => {
    const [coding = "", body] = decodeURIComponent(request.url?.slice(1) ?? "").split("|");
    response.setHeader("Content-Encoding", coding);
    response.end(body === "half" ? packed.subarray(0, -20) : "no such thing at all, really");
  });
  for (const path of ["zstd", "gzip, gzip", "gzip", "gzip|half", "deflate", "br"]) {
    const result = await server.fetcher()(`${server.origin}/${encodeURIComponent(path)}`);
    assert.equal(failedWith(result), "bad-compression", path);
  }
});

test("5 MiB are fetched, one byte more is not", async (t) => {
  const server = await serveFeed(t, (request, response) => {
    response.end(Buffer.alloc(Number(request.url?.slice(1)), 32));
  });
  const fetch = server.fetcher();
  assert.equal(textOf(await fetch(`${server.origin}/${MAX_FEED_BYTES}`)).length, MAX_FEED_BYTES);
  const result = await fetch(`${server.origin}/${MAX_FEED_BYTES + 1}`);
  assert.equal(failedWith(result), "too-large");
});

test("a feed of 50 MiB without a length is broken off early", async (t) => {
  const chunk = Buffer.alloc(64 * 1024, 32);
  let sent = 0;
  const server = await serveFeed(t, (_request, response) => {
    const send = () => {
      while (sent < 50 * 1024 * 1024 && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", send);
      }
      response.end();
    };
    send();
  });
  assert.equal(failedWith(await server.fetcher()(server.origin)), "too-large");
  await wait(50);
  assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes were taken`);
});

test("a slow feed is aborted at the deadline", async (t) => {
  const server = await serveFeed(t, (request, response) => {
    const drip = setInterval(() => response.write("X"), 20);
    response.on("close", () => clearInterval(drip));
    request.on("close", () => clearInterval(drip));
  });
  const begin = performance.now();
  const fetch = server.fetcher({ timeoutMs: 300 });
  assert.equal(failedWith(await fetch(server.origin)), "timed-out");
  assert.ok(performance.now() - begin < 2000);
});

test("a silent server and a name lookup without a response are aborted at the deadline", async (t) => {
  const server = await serveFeed(t, () => {});
  const silent = server.fetcher({ timeoutMs: 200 });
  assert.equal(failedWith(await silent(server.origin)), "timed-out");
  const nameless = server.fetcher({ timeoutMs: 200, resolve: () => {} });
  assert.equal(failedWith(await nameless(server.origin)), "timed-out");
});

test("the time counts for all redirects together", async (t) => {
  const server = await serveFeed(t, (_request, response) => {
    setTimeout(() => response.writeHead(302, { Location: "/" }).end(), 150);
  });
  const fetch = server.fetcher({ timeoutMs: 350 });
  assert.equal(failedWith(await fetch(server.origin)), "timed-out");
});

test("a fetch ends when it is aborted", async (t) => {
  const server = await serveFeed(t, () => {});
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  assert.equal(
    failedWith(await server.fetcher()(server.origin, undefined, stop.signal)),
    "stopped",
  );
});

test("an untrusted certificate, or one for another name, is refused", async (t) => {
  const server = await serveFeed(t, sendCalendar);
  const untrusting = createFeedFetcher({
    guard: createAddressGuard([FEED_HOST]),
    resolve: resolveTo("127.0.0.1"),
  });
  assert.equal(failedWith(await untrusting(server.origin)), "tls-failed");
  const elsewhere = server.fetcher({ guard: createAddressGuard(["third.example"]) });
  const result = await elsewhere(`https://third.example:${server.port}/`);
  assert.equal(failedWith(result), "tls-failed");
  assert.equal(server.requests.length, 0);
});

test("network errors have codes", async (t) => {
  const http = await serveOnLoopback(t, sendCalendar);
  const server = await serveFeed(t, (request, response) => {
    if (request.url === "/length") response.writeHead(200, { "Content-Length": "1000" });
    if (request.url === "/none") return void request.socket.destroy();
    if (request.url === "/upgrade") {
      const head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
      return void request.socket.write(head);
    }
    if (request.url === "/garbage")
      return void request.socket.end("220 mail.example ESMTP\r\n\r\n");
    response.write("BEGIN");
    setTimeout(() => request.socket.destroy(), 50);
  });
  const fetch = server.fetcher();
  assert.equal(failedWith(await fetch(`${server.origin}/length`)), "broken-off");
  assert.equal(failedWith(await fetch(`${server.origin}/chunks`)), "broken-off");
  assert.equal(failedWith(await fetch(`${server.origin}/none`)), "broken-off");
  assert.equal(failedWith(await fetch(`${server.origin}/upgrade`)), "broken-off");
  assert.equal(failedWith(await fetch(`${server.origin}/garbage`)), "bad-answer");
  const plain = await fetch(`https://${FEED_HOST}:${new URL(http).port}/`);
  assert.equal(failedWith(plain), "tls-failed");
  const closed = await fetch(`https://${FEED_HOST}:${await findClosedPort()}/`);
  assert.equal(failedWith(closed), "unreachable");
  for (const [code, error] of [
    ["ENOTFOUND", "host-not-found"],
    ["EAI_AGAIN", "name-lookup-failed"],
  ] as const) {
    const nameless = server.fetcher({
      resolve: (_host, callback) => callback(Object.assign(new Error(code), { code }), []),
    });
    assert.equal(failedWith(await nameless(server.origin)), error);
  }
});

test("a response with too many headers is refused", async (t) => {
  const server = await serveFeed(t, (_request, response) => {
    response.writeHead(200, { "X-Long": "x".repeat(100_000) }).end(CALENDAR);
  });
  assert.equal(failedWith(await server.fetcher()(server.origin)), "bad-answer");
});

test("validators that are invalid in a header are dropped", async (t) => {
  const server = await serveFeed(t, (_request, response) => {
    response.writeHead(200, { ETag: `"${"x".repeat(600)}"`, "Last-Modified": "" }).end(CALENDAR);
  });
  const result = await server.fetcher()(server.origin);
  assert.ok(result.kind === "fetched");
  assert.deepEqual([result.etag, result.lastModified], [null, null]);
});

/** A port that was free a moment ago. */
async function findClosedPort(): Promise<number> {
  for (let port = 40_000; ; port++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
    });
    if (!isOpen) return port;
  }
}
