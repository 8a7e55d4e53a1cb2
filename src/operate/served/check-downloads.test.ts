import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { serveHttps, HTTPS_AUTHORITY } from "../../../test/fixtures/serve-https.ts";
import { checkDownloads, type DownloadCheckError } from "./check-downloads.ts";

const FILE = "x".repeat(1000);

type Route = (...exchange: Parameters<RequestListener>) => void;

const ROUTES: Readonly<Record<string, Route>> = {
  "/app": (_request, response) => void response.setHeader("Content-Length", 1000).end(FILE),
  "/moved": (_request, response) => void response.writeHead(302, { Location: "/app" }).end(),
  "/loop": (_request, response) => void response.writeHead(302, { Location: "/loop" }).end(),
  "/plain": (_request, response) =>
    void response.writeHead(302, { Location: "http://127.0.0.1/app" }).end(),
  "/nowhere": (_request, response) => void response.writeHead(302).end(),
  "/private": (_request, response) => void response.writeHead(403).end(),
  "/broken": (_request, response) => void response.writeHead(500).end(),
  "/unknown-length": (_request, response) => void response.write("x", () => response.end("y")),
  // Hosts that sign an address for one method respond like this.
  "/get-only": ({ method, headers }, response) => {
    if (method !== "GET") response.writeHead(405).end();
    else if (headers.range !== "bytes=0-0") response.writeHead(400).end();
    else response.writeHead(206, { "Content-Range": "bytes 0-0/1000" }).end("x");
  },
  "/empty-head": ({ method }, response) => {
    response.setHeader("Content-Length", method === "HEAD" ? 0 : 1000);
    response.end(method === "HEAD" ? undefined : FILE);
  },
  "/compressed-head": ({ method }, response) => {
    if (method === "HEAD") response.setHeader("Content-Encoding", "gzip");
    response.setHeader("Content-Length", method === "HEAD" ? 12 : 1000);
    response.end(method === "HEAD" ? undefined : FILE);
  },
  "/silent": () => {},
  "/cut": (_request, response) => void response.destroy(),
};

async function serveRoutes(t: TestContext) {
  const methods: string[] = [];
  const origin = await serveHttps(t, (request, response) => {
    methods.push(`${request.method} ${request.url}`);
    const route = ROUTES[request.url ?? ""];
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  });
  return { origin, methods };
}

function check(origin: string, path: string, timeoutMs = 5000): Promise<DownloadCheckError[]> {
  const download = { url: origin + path, size: 1000 };
  return checkDownloads([download], { ca: HTTPS_AUTHORITY, timeoutMs });
}

test("a file of the right size is found with one HEAD request, or after a redirect", async (t) => {
  const { origin, methods } = await serveRoutes(t);
  assert.deepEqual(await check(origin, "/app"), []);
  assert.deepEqual(methods, ["HEAD /app"]);
  assert.deepEqual(await check(origin, "/moved"), []);
});

for (const path of ["/get-only", "/empty-head", "/compressed-head"]) {
  test(`where HEAD says nothing useful (${path}), one byte is asked for`, async (t) => {
    const { origin } = await serveRoutes(t);
    assert.deepEqual(await check(origin, path), []);
  });
}

for (const [path, problem] of [
  ["/missing", /^has no file \(status 404\)$/],
  ["/private", /^refuses access \(status 403\)$/],
  ["/broken", /^responded with status 500$/],
  ["/unknown-length", /^does not send the size of its file$/],
  ["/loop", /^redirects more than 5 times$/],
  ["/plain", /^redirects to http:\/\/, which apps refuse$/],
  ["/nowhere", /^redirects to no valid address$/],
  ["/cut", /^cannot be reached from this machine \(ECONNRESET\)$/],
] as const) {
  test(`${path} is told in plain words, with what to do`, async (t) => {
    const { origin } = await serveRoutes(t);
    const [error] = await check(origin, path);
    assert.equal(error?.url, origin + path);
    assert.match(error.problem, problem);
    assert.ok(error.remedy.length > 10);
  });
}

test("another size is told with both sizes", async (t) => {
  const { origin } = await serveRoutes(t);
  const download = { url: `${origin}/app`, size: 999 };
  const [error] = await checkDownloads([download], { ca: HTTPS_AUTHORITY });
  assert.equal(error?.problem, "has a different file: 1000 bytes, but the catalogue says 999");
});

test("a server that does not respond is given up", async (t) => {
  const { origin } = await serveRoutes(t);
  const [error] = await check(origin, "/silent", 200);
  assert.equal(error?.problem, "does not respond in time");
});

test("a certificate that is not trusted, expired or for another host is told as such", async (t) => {
  const serve: RequestListener = (_request, response) => void response.end(FILE);
  const trusted = await serveHttps(t, serve);
  const [untrusted] = await checkDownloads([{ url: trusted, size: 1000 }]);
  assert.match(
    untrusted?.problem ?? "",
    /^has a certificate that is not trusted on this machine \(/,
  );
  const expired = await serveHttps(t, serve, { notAfter: new Date(Date.now() - 1000) });
  const [late] = await check(expired, "/");
  assert.match(
    late?.problem ?? "",
    /^has a certificate that is not valid at this time \(CERT_HAS_EXPIRED\)$/,
  );
  const other = await serveHttps(t, serve, { addresses: [], names: ["other.example"] });
  const [wrong] = await check(other, "/");
  assert.match(wrong?.problem ?? "", /^has a certificate that is for other names$/);
});

test("a closed port and a host that does not exist are told apart", async () => {
  const downloads = ["https://127.0.0.1:1/app", "https://no-such-host.invalid/app"];
  const errors = await checkDownloads(downloads.map((url) => ({ url, size: 1000 })));
  assert.match(errors[0]?.problem ?? "", /^does not respond: nothing listens at 127\.0\.0\.1:1$/);
  assert.match(errors[1]?.problem ?? "", /^has a host name that is not known/);
});

test("at most six addresses are asked at once, and the errors keep their order", async (t) => {
  const waiting: (() => void)[] = [];
  let most = 0;
  const respondToAll = () => {
    for (const respond of waiting.splice(0)) respond();
  };
  const origin = await serveHttps(t, ({ url }, response) => {
    const isMissing = url === "/3" || url === "/15";
    waiting.push(() => {
      response.writeHead(isMissing ? 404 : 200, { "Content-Length": isMissing ? 0 : 1000 }).end();
    });
    most = Math.max(most, waiting.length);
    // A seventh has a moment to come; the sixth is waited for.
    setTimeout(respondToAll, waiting.length === 6 ? 20 : 10_000).unref();
  });
  const downloads = Array.from({ length: 22 }, (_, index) => ({
    url: `${origin}/${index}`,
    size: 1000,
  }));
  const errors = await checkDownloads(downloads, { ca: HTTPS_AUTHORITY });
  assert.equal(most, 6);
  assert.deepEqual(
    errors.map(({ url }) => new URL(url).pathname),
    ["/3", "/15"],
  );
});
