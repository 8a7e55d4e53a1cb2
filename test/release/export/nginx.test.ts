/** nginx with the exported tree sends the responses of the live service. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ALL_FEEDS, type FeedSettings } from "../../../src/contract/release/feed-values.ts";
import { listen, type Listener } from "../../../src/http/listen.ts";
import { exportRelease } from "../../../src/release/export/export-release.ts";
import { createReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { LOOPBACK_LIMITS } from "../../fixtures/listen-limits.ts";
import { ADDRESSES } from "./addresses.ts";
import { sendRequest, type RequestSample, type ReceivedResponse } from "./send-request.ts";
import { apiRequests, encodingRequests, feedRequests, selectorRequests } from "./requests.ts";
import { NGINX, runNginx, type RunningNginx } from "./run-nginx.ts";

const COMPARED = [
  "content-type",
  "content-encoding",
  "cache-control",
  "etag",
  "location",
  "vary",
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
  "access-control-expose-headers",
  "strict-transport-security",
  "x-content-type-options",
  "last-modified",
  "accept-ranges",
];
const MANIFEST = "/api/v1/manifest";
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Pair {
  readonly directory: string;
  readonly api: Listener;
  readonly smart: Listener;
  readonly nginx: RunningNginx;
  stop(): Promise<void>;
}

async function startPair(options: {
  signed?: boolean;
  betaEvery?: number;
  releases?: number;
  hasUpstream?: boolean;
  forUpdaters?: boolean;
  feeds?: FeedSettings;
}): Promise<Pair> {
  const { feeds = ALL_FEEDS } = options;
  // The app calls the newest beta by a name which is no version of the contract.
  const named = options.forUpdaters === true && { betaAppVersion: "1.3.0-beta.10" };
  const fixture = await createCatalogFixture({ releases: 25, ...named, ...options });
  const directory = await mkdtemp(join(tmpdir(), "trellis-export-"));
  const service = createReleaseService({ catalog: fixture.folder, ...ADDRESSES, feeds });
  await service.ready;
  const at = { host: "127.0.0.1", port: 0, limits: LOOPBACK_LIMITS };
  const api = await listen(service.api, at);
  const smart = await listen(service.smartDownload, at);
  await exportRelease({
    ...ADDRESSES,
    feeds,
    catalog: fixture.folder,
    directory,
    deployedAt: null,
    upstream: options.hasUpstream === true ? `http://127.0.0.1:${api.port}` : null,
    buildSite: null,
    now: Date.now(),
  });
  const nginx = await runNginx(join(directory, "current"));
  const stop = async () => {
    await nginx.stop();
    await api.stop();
    await smart.stop();
    await service.close();
    await fixture.remove();
    await rm(directory, { recursive: true, force: true });
  };
  return { directory, api, smart, nginx, stop };
}

/** What must be equal; the request id is compared with itself, since it is new for each request. */
function comparable({ status, headers, body }: ReceivedResponse) {
  const id = headers["x-request-id"] ?? "";
  return {
    status,
    hasRequestId: UUID_V4.test(id),
    // A 304 may name the length of what it does not send (RFC 9110 8.6).
    length: status === 304 ? undefined : headers["content-length"],
    body: id === "" ? body : body.replaceAll(id, "<request id>"),
    ...Object.fromEntries(COMPARED.map((name) => [name, headers[name]])),
  };
}

async function assertSame(
  livePort: number,
  staticPort: number,
  requests: readonly RequestSample[],
) {
  const differences: unknown[] = [];
  for (const request of requests) {
    const live = comparable(await sendRequest(livePort, request));
    const exported = comparable(await sendRequest(staticPort, request));
    if (!isDeepStrictEqual(exported, live)) differences.push({ request, exported, live });
  }
  assert.deepEqual(differences, []);
}

const skip =
  NGINX === null && "nginx is not installed; the plain file server of files.test.ts stands in";

describe("behind nginx", { skip }, () => {
  let pair: Pair;
  before(async () => (pair = await startPair({ forUpdaters: true })));
  after(() => pair.stop());

  test("the API sends the responses of the live service", async () => {
    const { headers } = await sendRequest(pair.api.port, { target: MANIFEST });
    await assertSame(pair.api.port, pair.nginx.apiPort, apiRequests(headers["etag"] ?? ""));
  });

  test("each encoding is sent, and found unchanged, as by the live service", async () => {
    const etags = await Promise.all(
      ["identity", "br", "gzip"].map(async (encoding) => {
        const sent = { target: MANIFEST, headers: { "Accept-Encoding": encoding } };
        return (await sendRequest(pair.api.port, sent)).headers["etag"] ?? "";
      }),
    );
    assert.equal(new Set(etags).size, 3);
    await assertSame(pair.api.port, pair.nginx.apiPort, [
      ...encodingRequests(etags),
      ...(await archiveRequests(pair.api.port)),
    ]);
  });

  test("nginx reads the rules without a warning", () => {
    assert.deepEqual(pair.nginx.warnings, []);
  });

  test("the selector chooses as the live service chooses", async () => {
    await assertSame(pair.smart.port, pair.nginx.smartPort, selectorRequests());
  });

  test("the feeds of other updaters are those of the live service", async () => {
    await assertSame(pair.api.port, pair.nginx.apiPort, feedRequests());
  });

  test("malformed requests get the service's error response", async () => {
    const overflow = { target: "/health", headers: { "X-Long": "x".repeat(20_000) } };
    await assertSame(pair.api.port, pair.nginx.apiPort, [overflow]);
    for (const text of [
      "GET /health HTTP/1.1\r\n\r\n",
      "nonsense\r\n\r\n",
      "FOO /health HTTP/1.1\r\nHost: a\r\n\r\n",
    ]) {
      const [status = ""] = (await send(pair.nginx.apiPort, text)).split("\r\n", 1);
      assert.match(status, /^HTTP\/1\.1 404 /);
      assert.match(await send(pair.nginx.apiPort, text), /"code":"not_found"/);
    }
  });

  test("every request has a different id", async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => sendRequest(pair.nginx.apiPort, { target: "/health" })),
    );
    assert.equal(new Set(replies.map(({ headers }) => headers["x-request-id"])).size, 20);
  });

  test("the differences are the documented ones", async () => {
    const { apiPort, smartPort } = pair.nginx;
    // Nothing can compute a validator of a page that is no file.
    const far = { target: "/api/v1/releases?channel=beta&limit=7&page=500" };
    const live = await sendRequest(pair.api.port, far);
    assert.deepEqual(comparable(await sendRequest(apiPort, far)), {
      ...comparable(live),
      etag: undefined,
    });
    // nginx matches `*` with any response, also with one that has no validator.
    const any = { target: "/health", headers: { "If-None-Match": "*" } };
    assert.equal((await sendRequest(apiPort, any)).status, 304);
    // The service ignores If-Match, which is for writing.
    const match = { target: "/api/v1/manifest", headers: { "If-Match": '"x"' } };
    assert.equal((await sendRequest(apiPort, match)).status, 412);
    // Digits that were needlessly escaped are not read.
    const escaped = { target: "/api/v1/releases?page=%31" };
    assert.equal((await sendRequest(apiPort, escaped)).status, 400);
    // An update decision needs the client's numbers and the clock.
    const update = { target: "/api/v1/update/linux?version=1.0.0&build=1" };
    assert.match((await sendRequest(apiPort, update)).body, /"code":"not_found"/);
    // An architecture that nginx would have to encode again leads to the website.
    const arch = { target: "/?platform=linux&arch=x+64" };
    const { status, headers } = await sendRequest(smartPort, arch);
    assert.deepEqual([status, headers["location"]], [302, ADDRESSES.websiteDownloadUrl]);
  });

  test("a missing file is an internal error, without a validator and not cached", async () => {
    const target = "/api/v1/releases/1.0.1";
    await rm(join(pair.directory, "current/public", target), { recursive: true });
    const { status, headers, body } = await sendRequest(pair.nginx.apiPort, { target });
    assert.equal(status, 500);
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["etag"], undefined);
    assert.match(body, /"code":"internal_error"/);
  });
});

describe("behind nginx with a live service", { skip }, () => {
  let pair: Pair;
  before(async () => (pair = await startPair({ releases: 500, hasUpstream: true })));
  after(() => pair.stop());

  test("requests without a file are forwarded to the live service", async () => {
    const update = "/api/v1/update/linux";
    await assertSame(
      pair.api.port,
      pair.nginx.apiPort,
      [
        `${update}?version=1.0.0&build=1`,
        `${update}?version=1.0.0&build=1&channel=beta`,
        `${update}?version=x&build=1`,
        "/api/v1/update/ios?version=1.0.0&build=1",
        "/api/v1/update",
        "/api/v1/releases?limit=7&page=3",
        "/api/v1/releases?limit=7&page=3000",
        "/api/v1/releases?page=4000",
        "/api/v1/releases?page=4",
        "/api/v1/releases?limit=50&page=4&channel=beta",
      ].map((target) => ({ target })),
    );
  });
});

describe("behind nginx with little to serve", { skip }, () => {
  test("without a manifest it is unavailable, and that response is not cached", async () => {
    const pair = await startPair({ releases: 3, betaEvery: 0, signed: false });
    try {
      const targets = [
        "/api/v1/manifest",
        "/api/v1/releases/latest?channel=beta",
        "/api/v1/releases?channel=beta",
        "/api/v1/download/linux?channel=beta",
        "/api/v1/download/nothing?channel=beta",
      ];
      const requests = targets.map((target) => ({ target }));
      await assertSame(pair.api.port, pair.nginx.apiPort, requests);
    } finally {
      await pair.stop();
    }
  });

  test("a feed that is turned off has no address, and none has one without a file", async () => {
    const feeds = { electron: false, tauri: true, sparkle: true, squirrel: false };
    const pair = await startPair({ releases: 3, feeds });
    try {
      await assertSame(pair.api.port, pair.nginx.apiPort, feedRequests());
    } finally {
      await pair.stop();
    }
    const none = { electron: false, tauri: false, sparkle: false, squirrel: false };
    const bare = await startPair({ releases: 3, forUpdaters: true, feeds: none });
    try {
      await assertSame(bare.api.port, bare.nginx.apiPort, feedRequests());
    } finally {
      await bare.stop();
    }
  });

  test("an empty catalogue is served alike", async () => {
    const pair = await startPair({ releases: 0 });
    try {
      // Of the empty pages only the first is a file; the others have no validator.
      const requests = apiRequests('"none"').filter(({ target }) => !/page=[1-9]/.test(target));
      await assertSame(pair.api.port, pair.nginx.apiPort, requests);
    } finally {
      await pair.stop();
    }
  });
});

/** In every form, and with the validator of another one. */
async function archiveRequests(port: number): Promise<RequestSample[]> {
  const { body } = await sendRequest(port, { target: MANIFEST });
  const { payload } = JSON.parse(body) as { payload: string };
  const { archive } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
    archive: { sha256: string };
  };
  const target = `/feeds/archive/${archive.sha256}`;
  const { headers } = await sendRequest(port, { target, headers: { "Accept-Encoding": "br" } });
  assert.equal(headers["content-encoding"], "br");
  const known = { "If-None-Match": headers["etag"] ?? "" };
  return ["", "br", "gzip"].flatMap((encoding) => [
    { target, headers: { "Accept-Encoding": encoding } },
    { target, headers: { "Accept-Encoding": encoding, ...known } },
  ]);
}

function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(text));
    socket.on("data", (chunk) => (reply += chunk.toString()));
    socket.on("close", () => resolve(reply)).on("error", reject);
  });
}
