import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { createHttpClient, NoResponse, type HttpLimits } from "./http.ts";

async function serve(t: TestContext, answer: RequestListener, limits?: HttpLimits) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const http = createHttpClient(limits);
  t.after(() => {
    http.close();
    server.close();
    server.closeAllConnections();
  });
  return { http, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("a target goes out as it is: dots, slashes and broken escapes", async (t) => {
  const seen: (string | undefined)[] = [];
  const { http, url } = await serve(t, (request, response) => {
    seen.push(request.url);
    response.end();
  });
  const targets = ["/a/../b", "//a//b", "/%zz", "/a?b=%", "/%2e%2E"];
  for (const target of targets) await http.origin(url).get(target);
  assert.deepEqual(seen, targets);
});

test("the path of a base URL stands before every target", async (t) => {
  const { http, url } = await serve(t, (request, response) => response.end(request.url));
  const answer = await http.origin(`${url}/releases/`).get("/health");
  assert.equal(Buffer.from(answer.body).toString(), "/releases/health");
  assert.equal(answer.asked, "GET /releases/health");
});

test("no header is sent that nobody asked for, and no redirect is followed", async (t) => {
  const { http, url } = await serve(t, (request, response) => {
    response.writeHead(302, { Location: "/elsewhere" }).end(request.headers["user-agent"]);
  });
  const answer = await http.origin(url).get("/");
  assert.equal(answer.status, 302);
  assert.equal(answer.header("location"), "/elsewhere");
  assert.equal(answer.body.length, 0);
});

test("a header that came twice shows both values", async (t) => {
  const { http, url } = await serve(t, (_request, response) => {
    response.writeHead(200, [
      ["Cache-Control", "no-store"],
      ["Cache-Control", "public"],
    ]);
    response.end();
  });
  assert.equal((await http.origin(url).get("/")).header("Cache-Control"), "no-store, public");
});

test("a run sends no more requests than it may", async (t) => {
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

test("an endless body is cut off", async (t) => {
  const { http, url } = await serve(t, (_request, response) => response.end("x".repeat(2000)), {
    maxBodyBytes: 1000,
  });
  await assert.rejects(http.origin(url).get("/"), /a body of at most 1000 bytes/);
});

test("a server that answers too late, or is not there, is named as no answer", async (t) => {
  const { http, url } = await serve(t, () => {}, { requestTimeoutMs: 30 });
  await assert.rejects(http.origin(url).get("/"), NoResponse);
  await assert.rejects(http.origin("http://127.0.0.1:9").get("/"), NoResponse);
});

test("raw bytes are sent as they are, and what comes back is shown whole", async (t) => {
  const { http, url } = await serve(t, (_request, response) => response.end("hello"));
  const bytes = await http
    .origin(url)
    .exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  assert.match(Buffer.from(bytes).toString(), /^HTTP\/1\.1 200 OK\r\n[^]*hello/);
});

test("a body goes out as it is, with its length or in chunks, and secrets are not shown", async (t) => {
  const { http, url } = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    response.end(`${length ?? coding} ${Buffer.concat(chunks).toString("latin1")}`);
  });
  const text = async (headers: Record<string, string>, body: string | Uint8Array) => {
    const answer = await http.origin(url).send("POST", "/", headers, body);
    return Buffer.from(answer.body).toString();
  };
  assert.equal(await text({}, '{"a":1}'), '7 {"a":1}');
  assert.equal(await text({ "Transfer-Encoding": "chunked" }, "abc"), "chunked abc");
  assert.equal(await text({}, Uint8Array.of(97, 98)), "2 ab");
  const headers = { Authorization: "Bearer trs_at_abc" };
  const { asked } = await http.origin(url).send("POST", "/x", headers, '{"code":"c","state":"s"}');
  assert.equal(asked, 'POST /x (Authorization: Bearer …) with {"code":"…","state":"s"}');
});
