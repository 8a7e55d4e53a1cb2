import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import {
  createHttpClient,
  NoResponseError,
  type HttpLimits,
  type Origin,
  type ReceivedResponse,
} from "./http.ts";
import { retryRateLimited } from "./retry-rate-limited.ts";

async function serve(t: TestContext, listener: RequestListener, limits?: HttpLimits) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const http = createHttpClient(limits);
  t.after(() => {
    http.close();
    server.close();
    server.closeAllConnections();
  });
  return { http, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("the client sends a target unchanged: dots, slashes and broken escapes", async (t) => {
  const seen: (string | undefined)[] = [];
  const { http, url } = await serve(t, (request, response) => {
    seen.push(request.url);
    response.end();
  });
  const targets = ["/a/../b", "//a//b", "/%zz", "/a?b=%", "/%2e%2E"];
  for (const target of targets) await http.origin(url).get(target);
  assert.deepEqual(seen, targets);
});

test("the path of a base URL precedes every target", async (t) => {
  const { http, url } = await serve(t, (request, response) => response.end(request.url));
  const { body, asked } = await http.origin(`${url}/releases/`).get("/health");
  assert.equal(Buffer.from(body).toString(), "/releases/health");
  assert.equal(asked, "GET /releases/health");
});

test("the client adds no header of its own and follows no redirect", async (t) => {
  const { http, url } = await serve(t, (request, response) => {
    response.writeHead(302, { Location: "/elsewhere" }).end(request.headers["user-agent"]);
  });
  const { status, header, body } = await http.origin(url).get("/");
  assert.equal(status, 302);
  assert.equal(header("location"), "/elsewhere");
  assert.equal(body.length, 0);
});

test("a header that occurs twice has both values", async (t) => {
  const { http, url } = await serve(t, (_request, response) => {
    response.writeHead(200, [
      ["Cache-Control", "no-store"],
      ["Cache-Control", "public"],
    ]);
    response.end();
  });
  assert.equal((await http.origin(url).get("/")).header("Cache-Control"), "no-store, public");
});

test("the client sends no more requests than its limit", async (t) => {
  let count = 0;
  const { http, url } = await serve(
    t,
    (_request, response) => {
      count += 1;
      response.end();
    },
    { maxRequests: 2 },
  );
  await http.origin(url).get("/");
  await http.origin(url).get("/");
  await assert.rejects(http.origin(url).get("/"), /at most 2 requests/);
  assert.equal(count, 2);
});

test("the client stops reading a body at its limit", async (t) => {
  const { http, url } = await serve(t, (_request, response) => response.end("x".repeat(2000)), {
    maxBodyBytes: 1000,
  });
  await assert.rejects(http.origin(url).get("/"), /a body of at most 1000 bytes/);
});

test("a late response and an unreachable server are NoResponseErrors", async (t) => {
  const { http, url } = await serve(t, () => {}, { requestTimeoutMs: 30 });
  await assert.rejects(http.origin(url).get("/"), NoResponseError);
  await assert.rejects(http.origin("http://127.0.0.1:9").get("/"), NoResponseError);
});

test("raw bytes are sent unchanged, and the whole response is returned", async (t) => {
  const { http, url } = await serve(t, (_request, response) => response.end("hello"));
  const bytes = await http
    .origin(url)
    .sendRaw("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  assert.match(Buffer.from(bytes).toString(), /^HTTP\/1\.1 200 OK\r\n[^]*hello/);
});

test("a body is sent unchanged, with its length or in chunks, and `asked` hides secrets", async (t) => {
  const { http, url } = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    response.end(`${length ?? coding} ${Buffer.concat(chunks).toString("latin1")}`);
  });
  const text = async (
    headers: Record<string, string>,
    body: string | Uint8Array,
    method = "POST",
  ) => {
    const received = await http.origin(url).send(method, "/", headers, body);
    return Buffer.from(received.body).toString();
  };
  assert.equal(await text({}, '{"a":1}'), '7 {"a":1}');
  assert.equal(await text({ "Transfer-Encoding": "chunked" }, "abc"), "chunked abc");
  assert.equal(await text({}, Uint8Array.of(97, 98)), "2 ab");
  for (const method of ["GET", "DELETE"]) {
    assert.equal(await text({}, "ä", method), "2 Ã¤");
    assert.equal(await text({ "Transfer-Encoding": "chunked" }, "abc", method), "chunked abc");
  }
  const headers = { Authorization: "Bearer trs_at_abc" };
  const { asked } = await http.origin(url).send("POST", "/x", headers, '{"code":"c","state":"s"}');
  assert.equal(asked, 'POST /x (Authorization: Bearer …) with {"code":"…","state":"s"}');
});

function createRateLimited(...responses: readonly (readonly [number, (string | undefined)?])[]) {
  let sent = 0;
  const send = async (): Promise<ReceivedResponse> => {
    const [status, retryAfter] = responses[sent++] ?? [500];
    const header = (name: string) => (name === "Retry-After" ? retryAfter : undefined);
    return { asked: "GET /", status, header, body: new Uint8Array(), text: () => "" };
  };
  const origin: Origin = {
    url: "http://service.example",
    get: send,
    send,
    open: async () => ({ ...(await send()), isOver: () => true, close() {} }),
    sendRaw: async () => new Uint8Array(),
    targetOf: (path) => path,
  };
  return { origin: retryRateLimited(origin), count: () => sent };
}

test("a rate-limited request is sent again after its Retry-After", async () => {
  const { origin, count } = createRateLimited([429, "0"], [429, "0"], [200]);
  assert.equal((await origin.get("/")).status, 200);
  assert.equal(count(), 3);
});

test("a rate limit without a usable Retry-After is returned", async () => {
  for (const retryAfter of [undefined, "soon", "301"]) {
    const { origin, count } = createRateLimited([429, retryAfter], [200]);
    assert.equal((await origin.send("POST", "/")).status, 429);
    assert.equal(count(), 1);
  }
});

test("retries end when a service always limits", async () => {
  const { origin } = createRateLimited(...Array.from({ length: 20 }, () => [429, "0"] as const));
  assert.equal((await origin.get("/")).status, 429);
});
