import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import {
  createCatalogFixture,
  createRelease,
  type CatalogFixture,
} from "../../test/fixtures/catalog.ts";
import { openConnection } from "../../test/fixtures/raw-connection.ts";
import { createChecker } from "../contract/check.ts";
import type { WithdrawnSource } from "../contract/release/catalog.ts";
import { RELEASE_CONTRACT } from "../contract/release/routes.ts";
import { ErrorResponse, type Health, type Release } from "../contract/release/schemas.ts";
import { listen } from "../http/listen.ts";
import type { RequestLogEntry } from "../http/request-log.ts";
import { CatalogError } from "./catalog.ts";
import { signManifest } from "./publishing/sign-manifest.ts";
import { createReleaseService, type ReleaseNotice, type ReleaseServiceOptions } from "./service.ts";
import { LIMITS } from "../../test/fixtures/listen-limits.ts";

const BASE = "https://releases.example.com";
const SMART = "https://download.example.com";
const WEBSITE = "https://www.example.com/#download";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const STOP_QUICKLY = { ...LIMITS, maxConnectionsPerNetwork: 64, stopSeconds: 1 };

const settings = { baseUrl: BASE, smartDownloadUrl: SMART, websiteDownloadUrl: WEBSITE };
let fixture: CatalogFixture;
let withdrawn: WithdrawnSource;
let service: ReturnType<typeof createReleaseService>;

before(async () => {
  // Builds 1 to 9 published, 10 and 11 drafts, and 12, the newest of all, withdrawn.
  const now = Date.now();
  fixture = await createCatalogFixture({ releases: 9, betaEvery: 4, drafts: 2, now });
  withdrawn = {
    ...createRelease(12, 0, now),
    status: "withdrawn",
    withdrawal: { at: new Date(now).toISOString(), reason: "It lost data" },
  };
  const file = join(fixture.folder, "releases", `${withdrawn.version}.json`);
  await writeFile(file, JSON.stringify(withdrawn));
  const { settings: catalog, keys, privateKey } = fixture;
  const { envelope } = signManifest(
    { settings: catalog, keys, releases: [withdrawn, ...fixture.releases] },
    null,
    { keyId: catalog.signing.active, privateKey },
    now,
  );
  await writeFile(join(fixture.folder, "manifest.json"), envelope);
  service = createReleaseService({ catalog: fixture.folder, ...settings });
  await service.ready;
});

after(async () => {
  await service.close();
  await fixture.remove();
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  service.fetch(new Request(BASE + path, { headers, method, redirect: "manual" }));
const getJson = async (path: string) =>
  (await get(path)).json() as Promise<Record<string, unknown>>;

async function expectError(response: Response, status: number, code: string): Promise<void> {
  assert.equal(response.status, status);
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  const body: unknown = await response.json();
  assert.deepEqual(createChecker(ErrorResponse).errors(body), []);
  const { error } = body as ErrorResponse;
  assert.equal(error.code, code);
  assert.match(error.requestId, UUID);
  assert.equal(response.headers.get("X-Request-Id"), error.requestId);
}

test("every response has the schema that its route declares", async () => {
  const checkers = new Map(
    RELEASE_CONTRACT.routes.map(({ operationId, responses }) => [
      operationId,
      responses[200]?.schema === undefined ? null : createChecker(responses[200].schema),
    ]),
  );
  for (const [operationId, path] of [
    ["getHealth", "/health"],
    ["getSignedManifest", "/api/v1/manifest"],
    ["listReleases", "/api/v1/releases"],
    ["listReleases", "/api/v1/releases?channel=beta&page=2&limit=1"],
    ["getLatestRelease", "/api/v1/releases/latest"],
    ["getLatestRelease", "/api/v1/releases/latest?channel=beta"],
    ["getRelease", "/api/v1/releases/1.0.1"],
    ["getReleaseDownloads", "/api/v1/releases/1.0.4/downloads"],
    ["checkForUpdate", "/api/v1/update/linux?version=1.0.0&build=1"],
    ["checkForUpdate", "/api/v1/update/linux?version=1.0.0&build=1&channel=beta"],
  ] as const) {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("Content-Type"), "application/json; charset=utf-8");
    const body: unknown = await response.json();
    assert.deepEqual(checkers.get(operationId)?.errors(body), [], path);
  }
});

test("every response has the headers of the service and a new request id", async () => {
  const ids = new Set<string | null>();
  for (const path of [
    "/health",
    "/nothing",
    "/api/v1/releases?page=0",
    "/download",
    "/api/v1/manifest",
  ]) {
    const { headers } = await get(path);
    assert.equal(headers.get("Access-Control-Allow-Origin"), "*");
    assert.equal(headers.get("X-Content-Type-Options"), "nosniff");
    assert.equal(headers.get("Strict-Transport-Security"), "max-age=31536000");
    assert.match(headers.get("X-Request-Id") ?? "", UUID);
    ids.add(headers.get("X-Request-Id"));
  }
  assert.equal(ids.size, 5);
});

test("a service on http sends no Strict-Transport-Security", async () => {
  const local = createReleaseService({
    catalog: fixture.folder,
    baseUrl: "http://localhost:1",
    smartDownloadUrl: "http://localhost:2",
    websiteDownloadUrl: WEBSITE,
  });
  const response = await local.fetch(new Request("http://localhost:1/health"));
  assert.equal(response.headers.get("Strict-Transport-Security"), null);
  const body: unknown = await response.json();
  assert.equal((body as Health).environment, "production");
  await local.close();
});

test("drafts and withdrawn releases are in no response", async () => {
  const hidden = [withdrawn, ...fixture.releases.filter(({ status }) => status === "draft")];
  assert.equal(hidden.length, 3);
  for (const { version } of hidden) {
    await expectError(await get(`/api/v1/releases/${version}`), 404, "release_not_found");
    await expectError(await get(`/api/v1/releases/${version}/downloads`), 404, "release_not_found");
  }
  const texts = await Promise.all(
    [
      "/api/v1/releases?limit=100",
      "/api/v1/releases?limit=100&channel=beta",
      "/api/v1/releases/latest",
      "/api/v1/releases/latest?channel=beta",
      "/api/v1/update/linux?version=1.0.0&build=1",
    ].map(async (path) => (await get(path)).text()),
  );
  const location = (await get("/api/v1/download/linux")).headers.get("Location");
  const { payload } = await getJson("/api/v1/manifest");
  const { releases } = JSON.parse(Buffer.from(String(payload), "base64url").toString()) as {
    releases: Release[];
  };
  const all = [...texts, location, JSON.stringify(releases)].join("\n");
  for (const { version } of hidden) assert.ok(!all.includes(version), version);
  assert.equal(releases.length, 9);
  assert.ok(releases.every(({ status }) => status === "published"));
});

for (const [path, status, code] of [
  ["/", 404, "not_found"],
  ["/api/v1", 404, "not_found"],
  ["/health/", 404, "not_found"],
  ["/api/v1/releases/1.0.1/downloads/x", 404, "not_found"],
  ["/api/v1/releases/%zz", 404, "not_found"],
  ["/api/v1/update", 404, "not_found"],
  ["/api/v1/releases/v1.0.1", 404, "release_not_found"],
  ["/api/v1/releases/9.9.9", 404, "release_not_found"],
  ["/api/v1/releases/latest/downloads", 404, "release_not_found"],
  ["/api/v1/releases?page=0&channel=x", 400, "invalid_pagination"],
  ["/api/v1/releases?limit=101", 400, "invalid_pagination"],
  ["/api/v1/releases?channel=nightly", 400, "invalid_channel"],
  ["/api/v1/releases/latest?channel=", 400, "invalid_channel"],
  ["/api/v1/update/ios?version=1.0.0&build=1", 400, "invalid_update_request"],
  ["/api/v1/update/linux?version=1.0.0", 400, "invalid_update_request"],
  ["/api/v1/update/linux?build=1", 400, "invalid_update_request"],
  ["/api/v1/update/linux?version=1.0.0&build=0", 400, "invalid_update_request"],
  ["/api/v1/update/linux?version=1.0.0&build=1&channel=x", 400, "invalid_channel"],
  ["/api/v1/download/ios", 404, "platform_not_supported"],
  ["/api/v1/download/ios?channel=x", 404, "platform_not_supported"],
  ["/api/v1/download/linux?channel=x", 400, "invalid_channel"],
  ["/api/v1/download/linux/riscv", 404, "artifact_not_found"],
  ["/api/v1/download/linux/X64", 404, "artifact_not_found"],
] as const) {
  test(`${path} is ${status} ${code}`, async () => expectError(await get(path), status, code));
}

test("a target that is too long is no address", async () => {
  await expectError(await get(`/health?${"x".repeat(9000)}`), 404, "not_found");
});

test("other methods are not found and change nothing", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    await expectError(await get("/api/v1/releases", {}, method), 404, "not_found");
  }
});

test("a preflight is 204 on a known path and 404 on an unknown one", async () => {
  const response = await get("/api/v1/manifest", { Origin: "https://a.example" }, "OPTIONS");
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("Access-Control-Allow-Methods"), "GET, HEAD");
  assert.equal(response.headers.get("Access-Control-Allow-Headers"), "If-None-Match");
  await expectError(await get("/nothing", {}, "OPTIONS"), 404, "not_found");
});

test("a response that the client already has is 304, without a body", async () => {
  for (const path of [
    "/api/v1/manifest",
    "/api/v1/releases",
    "/api/v1/releases/latest",
    "/api/v1/releases/1.0.1",
    "/api/v1/releases/1.0.1/downloads",
  ]) {
    const full = await get(path);
    const etag = full.headers.get("ETag") ?? "";
    assert.match(etag, /^"[\w-]+"$/);
    for (const field of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const response = await get(path, { "If-None-Match": field });
      assert.equal(response.status, 304, field);
      assert.equal(await response.text(), "");
      assert.equal(response.headers.get("ETag"), etag);
      assert.equal(response.headers.get("Cache-Control"), full.headers.get("Cache-Control"));
    }
    assert.equal((await get(path, { "If-None-Match": '"x"' })).status, 200);
    assert.equal((await get(path, { "If-None-Match": etag }, "HEAD")).status, 304);
  }
});

test("a long body is compressed for clients that take it, with a validator of its own", async () => {
  for (const path of [
    "/api/v1/manifest",
    "/api/v1/releases/latest",
    "/api/v1/releases/1.0.1",
    "/api/v1/releases/1.0.1/downloads",
  ]) {
    const plain = await get(path);
    const text = await plain.text();
    assert.ok(text.length >= 1024, path);
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const response = await get(path, { "Accept-Encoding": encoding });
      const body = Buffer.from(await response.arrayBuffer());
      assert.equal(response.headers.get("Content-Encoding"), encoding);
      assert.equal(response.headers.get("Content-Length"), String(body.length));
      assert.equal(response.headers.get("Vary"), "Accept-Encoding");
      assert.equal(decode(body).toString(), text);
      const etag = response.headers.get("ETag") ?? "";
      assert.notEqual(etag, plain.headers.get("ETag"));
      const again = await get(path, { "If-None-Match": etag });
      assert.deepEqual([again.status, again.headers.get("ETag")], [304, etag]);
      const head = await get(path, { "Accept-Encoding": encoding }, "HEAD");
      const own = (name: string, value: string) => (name === "x-request-id" ? "" : value);
      assert.deepEqual(
        [...head.headers].map(([name, value]) => [name, own(name, value)]),
        [...response.headers].map(([name, value]) => [name, own(name, value)]),
      );
    }
  }
});

test("a short body is sent as it is", async () => {
  const response = await get("/api/v1/releases?limit=1", { "Accept-Encoding": "br" });
  assert.equal(response.headers.get("Content-Encoding"), null);
  assert.equal(response.headers.get("Vary"), "Accept-Encoding");
  assert.deepEqual(Object.keys((await response.json()) as object)[0], "page");
});

test("the manifest is the file, byte for byte", async () => {
  const file = await readFile(join(fixture.folder, "manifest.json"));
  const served = Buffer.from(await (await get("/api/v1/manifest")).arrayBuffer());
  assert.deepEqual(served, file);
});

test("downloads lead to the artifact of the newest release of the channel", async () => {
  for (const [path, file] of [
    ["/api/v1/download/android", "1.0.9-android-universal.apk"],
    ["/api/v1/download/android/universal", "1.0.9-android-universal.apk"],
    ["/api/v1/download/linux", "1.0.9-linux-x64.AppImage"],
    ["/api/v1/download/linux?channel=beta", "1.0.8-linux-x64.AppImage"],
    ["/api/v1/download/macos/universal?channel=stable", "1.0.9-macos-universal.dmg"],
  ] as const) {
    const response = await get(path);
    assert.equal(response.status, 302);
    assert.match(response.headers.get("Location") ?? "", new RegExp(`^https://.*${file}$`));
    assert.equal(response.headers.get("Cache-Control"), "public, max-age=60, s-maxage=300");
  }
});

test("the legacy entry keeps the query exactly as it came", async () => {
  for (const query of [
    "",
    "?",
    "??",
    "?platform=linux&arch=a%2Fb&x=%zz&y=+",
    "?channel=nonsense",
  ]) {
    const response = await get(`/download${query}`);
    assert.equal(response.status, 308);
    assert.equal(response.headers.get("Location"), `${SMART}/${query}`);
    assert.equal(response.headers.get("Cache-Control"), "public, max-age=86400");
  }
});

const select = (query: string, agent: string, url = SMART) =>
  service.fetch(new Request(`${url}/${query}`, { headers: { "User-Agent": agent } }));

for (const [query, agent, location] of [
  ["", WINDOWS, `${BASE}/api/v1/download/windows/x64`],
  ["?channel=beta", WINDOWS, `${BASE}/api/v1/download/windows/x64?channel=beta`],
  ["?platform=android", WINDOWS, `${BASE}/api/v1/download/android/universal`],
  ["?platform=beos", WINDOWS, `${BASE}/api/v1/download/windows/x64`],
  ["?platform=beos", "curl/8", WEBSITE],
  ["?arch=", WINDOWS, `${BASE}/api/v1/download/windows/x64`],
  ["?arch=../../x", WINDOWS, `${BASE}/api/v1/download/windows/..%2F..%2Fx`],
  ["?arch=%0d%0aX-Evil:1", WINDOWS, `${BASE}/api/v1/download/windows/%0D%0AX-Evil%3A1`],
  ["", "", WEBSITE],
] as const) {
  test(`the selector leads ${query || "a browser"} to ${location}`, async () => {
    const response = await select(query, agent);
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("Location"), location);
    assert.equal(response.headers.get("Cache-Control"), "private, no-store");
    assert.equal(response.headers.get("Vary"), "User-Agent");
  });
}

test("the selector refuses only a wrong channel, and its origin serves nothing else", async () => {
  await expectError(await select("?channel=x&platform=linux", WINDOWS), 400, "invalid_channel");
  await expectError(await select("health", WINDOWS), 404, "not_found");
  await expectError(await select("api/v1/releases", WINDOWS), 404, "not_found");
});

test("`fetch` selects the origin by the host of the request only", async () => {
  const other = await service.fetch(new Request("https://anything.example/health"));
  assert.equal(other.status, 200);
  const onPort = await select("", WINDOWS, `${SMART}:8443`);
  assert.equal(onPort.status, 404);
});

async function withService<T>(
  options: Partial<ReleaseServiceOptions>,
  use: (service: ReturnType<typeof createReleaseService>) => Promise<T>,
): Promise<T> {
  const other = createReleaseService({ catalog: fixture.folder, ...settings, ...options });
  try {
    return await use(other);
  } finally {
    await other.close();
  }
}

test("an empty catalogue responds release_not_found and has no manifest", async () => {
  const empty = await createCatalogFixture({ releases: 0, signed: false });
  await withService({ catalog: empty.folder }, async (other) => {
    const ask = (path: string) => other.fetch(new Request(BASE + path));
    await expectError(await ask("/api/v1/releases/latest"), 404, "release_not_found");
    await expectError(await ask("/api/v1/download/linux"), 404, "release_not_found");
    await expectError(
      await ask("/api/v1/update/linux?version=1.0.0&build=1"),
      404,
      "release_not_found",
    );
    await expectError(await ask("/api/v1/manifest"), 503, "manifest_unavailable");
    assert.equal((await ask("/api/v1/releases")).status, 200);
  });
  await empty.remove();
});

test("an invalid catalogue rejects with every error", async () => {
  const broken = await createCatalogFixture({ releases: 2 });
  await writeFile(join(broken.folder, "releases", "1.0.1.json"), '{"version": "1.0.1"');
  await writeFile(join(broken.folder, "releases", "1.0.2.json"), '{"version": "2"}');
  await writeFile(join(broken.folder, "keys.json"), "[]");
  await withService({ catalog: broken.folder }, async (other) => {
    const error: unknown = await other.ready.catch((reason: unknown) => reason);
    assert.ok(error instanceof CatalogError);
    assert.ok(error.message.startsWith(`Cannot serve the catalogue "${broken.folder}":\n`));
    for (const file of ["releases/1.0.1.json", "releases/1.0.2.json", "keys.json"]) {
      assert.ok(
        error.errors.some((fileError) => fileError.file === file),
        file,
      );
      assert.ok(error.message.includes(`  ${file}`), file);
    }
    await assert.rejects(other.fetch(new Request(`${BASE}/health`)), CatalogError);
  });
  await broken.remove();
});

test("a missing catalogue rejects `ready` and does not end the process", async () => {
  await withService({ catalog: "/no/such/catalogue" }, async (other) => {
    await assert.rejects(other.ready, /is not a folder that can be read; .*trellis release init/);
  });
});

test("a client over its rate limit gets 429 with Retry-After", async () => {
  await withService({ rateLimit: { requests: 2, windowSeconds: 60 } }, async (other) => {
    const responses = [];
    for (let round = 0; round < 3; round++) {
      responses.push(await other.fetch(new Request(`${BASE}/health`)));
    }
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 429],
    );
    const refused = responses[2];
    assert.match(refused?.headers.get("Retry-After") ?? "", /^\d+$/);
    const body = (await refused?.json()) as { error: { code: string } };
    assert.equal(body.error.code, "rate_limited");
  });
});

test("a forged X-Forwarded-For neither evades a limit nor uses up another client's", async (t) => {
  const rateLimit = { requests: 1, windowSeconds: 60 };
  const ask = async (trustedProxies: readonly string[], forwarded: readonly string[]) =>
    withService({ rateLimit, trustedProxies }, async (other) => {
      await other.ready;
      const listener = await listen(other.api, {
        host: "127.0.0.1",
        port: 0,
        limits: STOP_QUICKLY,
      });
      t.after(() => listener.stop());
      const statuses: number[] = [];
      for (const value of forwarded) {
        const response = await fetch(`http://127.0.0.1:${listener.port}/health`, {
          headers: { "X-Forwarded-For": value },
        });
        statuses.push(response.status);
      }
      return statuses;
    });
  assert.deepEqual(await ask([], ["1.1.1.1", "2.2.2.2"]), [200, 429]);
  // Behind a proxy the last hop is what the proxy saw; what stands before it is the client's claim.
  assert.deepEqual(
    await ask(["127.0.0.1"], ["9.9.9.1, 1.1.1.1", "9.9.9.2, 1.1.1.1", "1.1.1.1, 2.2.2.2"]),
    [200, 429, 200],
  );
});

test("the log has one line per request; an unexpected error is a notice and not in the response", async () => {
  const entries: RequestLogEntry[] = [];
  const notices: ReleaseNotice[] = [];
  let isBroken = false;
  await withService(
    {
      log: (entry) => void entries.push(entry),
      onNotice: (notice) => void notices.push(notice),
      now: () => {
        if (isBroken) throw new Error("clock broken");
        return Date.now();
      },
    },
    async (other) => {
      await other.fetch(new Request(`${BASE}/health?secret=1`));
      isBroken = true;
      const path = "/api/v1/update/linux?version=1.0.0&build=1";
      const response = await other.fetch(new Request(BASE + path));
      assert.equal(response.status, 500);
      const text = await response.text();
      assert.match(text, /"code":"internal_error"/);
      assert.doesNotMatch(text, /clock/);
    },
  );
  assert.deepEqual(
    entries.map(({ method, path, status }) => [method, path, status]),
    [
      ["GET", "/health", 200],
      ["GET", "/api/v1/update/linux", 500],
    ],
  );
  const unexpected = notices.find(({ kind }) => kind === "unexpected-error");
  assert.ok(unexpected?.kind === "unexpected-error");
  assert.equal(unexpected.requestId, entries[1]?.requestId);
});

test("`fetch` and the listener send the same responses", async (t) => {
  const listener = await listen(service.api, { host: "127.0.0.1", port: 0, limits: STOP_QUICKLY });
  t.after(() => listener.stop());

  const word = fc.constantFrom(
    "api",
    "v1",
    "releases",
    "latest",
    "downloads",
    "manifest",
    "update",
    "download",
    "health",
    "linux",
    "ios",
    "x64",
    "1.0.1",
    "9.9.9",
    "%6Catest",
    "%zz",
    "%2F",
    "%ff",
    "a+b",
    "ä",
    "",
  );
  const known = fc.constantFrom(
    "/api/v1/manifest",
    "/api/v1/releases",
    "/api/v1/releases/latest",
    "/api/v1/releases/1.0.1/downloads",
    "/api/v1/update/linux",
    "/api/v1/download/linux",
    "/download",
  );
  const path = fc.oneof(
    known,
    fc.array(word, { maxLength: 5 }).map((words) => `/${words.join("/")}`),
  );
  const query = fc.array(
    fc.tuple(
      fc.constantFrom("channel", "page", "limit", "version", "build", "utm", "%zz"),
      fc.constantFrom("", "stable", "beta", "1", "0", "01", "2", "1.0.0", "%zz", "a+b"),
    ),
    { maxLength: 4 },
  );
  const request = fc.record({
    method: fc.constantFrom("GET", "HEAD", "OPTIONS", "POST", "DELETE", "BREW"),
    path,
    query: query.map((pairs) => pairs.map((pair) => pair.join("=")).join("&")),
    headers: fc.record(
      {
        "If-None-Match": fc.constantFrom("*", '"x"', 'W/"x", *'),
        "Accept-Encoding": fc.constantFrom("br", "gzip", "gzip;q=0.5, identity"),
      },
      { requiredKeys: [] },
    ),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, headers: given }) => {
      const url = new URL(`${BASE}${path}?${query}`);
      const headers = new Headers(given);
      const byFetch = await service.fetch(
        new Request(url, { method, headers, redirect: "manual" }),
      );
      const connection = await openConnection(listener.port);
      const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const target = url.href.slice(BASE.length);
      // Node knows which methods exist.
      const sent = method === "BREW" ? "PROPFIND" : method;
      connection.send(`${sent} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`);
      const [head = "", ...rest] = (await connection.closed).split("\r\n\r\n");
      const [statusLine = "", ...fields] = head.split("\r\n");
      const byNode = {
        status: Number(statusLine.split(" ")[1]),
        headers: fields
          .map((field) => [
            field.split(": ")[0]?.toLowerCase() ?? "",
            field.slice(field.indexOf(": ") + 2),
          ])
          .filter(([name = ""]) => !["date", "connection", "x-request-id"].includes(name))
          .sort(),
        body: Buffer.from(rest.join("\r\n\r\n"), "latin1")
          .toString()
          .replaceAll(/[0-9a-f-]{36}/g, "ID"),
      };
      const own = {
        status: byFetch.status,
        headers: [...byFetch.headers].filter(([name]) => name !== "x-request-id").sort(),
        body: (await byFetch.text()).replaceAll(/[0-9a-f-]{36}/g, "ID"),
      };
      assert.deepEqual(byNode, own);
    }),
    { numRuns: 300 },
  );
});

test("an address that is not there is a page for browsers, and JSON for programs", async () => {
  const fetchAs = (accept: string) =>
    service.fetch(new Request(`${BASE}/nowhere?lang=de`, { headers: { Accept: accept } }));
  const [program, browser] = [await fetchAs("*/*"), await fetchAs("text/html,*/*;q=0.8")];
  await expectError(program.clone(), 404, "not_found");
  assert.equal(browser.status, 404);
  const page = await browser.text();
  assert.match(page, /Seite nicht gefunden[^]*<code>404 not_found<\/code>/);
  assert.ok(page.includes(`<code>${browser.headers.get("x-request-id")}</code>`));
  assert.ok(page.includes(`href="${WEBSITE}"`));
  assert.match(browser.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  const shared = ({ headers }: Response) =>
    [...headers].filter(([name]) => !/^(?:content-|x-request-id)/.test(name));
  assert.deepEqual(shared(browser), shared(program));
});

test("a release or a download that does not exist is a page for browsers, and JSON for programs", async () => {
  const missing = [
    ["/api/v1/releases/9.9.9", "release_not_found", "Release not found"],
    ["/api/v1/releases/9.9.9/downloads", "release_not_found", "Release not found"],
    ["/api/v1/download/android/6502", "artifact_not_found", "Download not found"],
    ["/api/v1/download/ios", "platform_not_supported", "No downloads for this system"],
    [`/feeds/archive/${"0".repeat(64)}`, "not_found", "Page not found"],
  ] as const;
  for (const [path, code, title] of missing) {
    const fetchAs = (accept: string) =>
      service.fetch(new Request(BASE + path, { headers: { Accept: accept } }));
    const page = await fetchAs("text/html,*/*;q=0.8");
    assert.equal(page.status, 404, path);
    const text = await page.text();
    assert.ok(text.includes(`<h1>${title}</h1>`), path);
    assert.ok(text.includes(`<code>404 ${code}</code>`), path);
    await expectError(await fetchAs("*/*"), 404, code);
  }
  const accept = { headers: { Accept: "text/html" } };
  const invalid = await service.fetch(
    new Request(`${BASE}/api/v1/releases/latest?channel=x`, accept),
  );
  await expectError(invalid, 400, "invalid_channel");
});
