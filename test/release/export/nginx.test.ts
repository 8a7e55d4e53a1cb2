/** nginx sends the files of the exported tree as the live service would, which responds to all else. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { listen, type Listener } from "../../../src/http/listen.ts";
import { exportRelease } from "../../../src/release/export/export-release.ts";
import { createReleaseService } from "../../../src/release/service.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { LOOPBACK_LIMITS } from "../../fixtures/listen-limits.ts";
import { ADDRESSES } from "./addresses.ts";
import { addressOf, listExported } from "./exported-files.ts";
import { sendRequest, type RequestSample } from "./send-request.ts";
import { NGINX, runNginx, type RunningNginx } from "./run-nginx.ts";

const MANIFEST = "/api/v1/manifest";
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** nginx makes its own validators, and knows no ids of requests. */
const COMPARED = [
  "content-type",
  "content-encoding",
  "cache-control",
  "location",
  "vary",
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-max-age",
  "access-control-expose-headers",
  "strict-transport-security",
  "x-content-type-options",
];

const skip =
  NGINX === null && "nginx is not installed; the plain file server of files.test.ts stands in";

describe("behind nginx", { skip }, () => {
  let tree: string;
  let api: Listener;
  let nginx: RunningNginx;
  const ends: (() => Promise<unknown> | void)[] = [];
  /** Only the service gives a response its id. */
  const isOfService = async (target: string) =>
    (await sendRequest(nginx.apiPort, { target })).headers["x-request-id"] !== undefined;

  before(async () => {
    const fixture = await createCatalogFixture({ releases: 25, forUpdaters: true });
    const directory = await mkdtemp(join(tmpdir(), "trellis-export-"));
    const service = createReleaseService({ catalog: fixture.folder, ...ADDRESSES });
    await service.ready;
    api = await listen(service.api, { host: "127.0.0.1", port: 0, limits: LOOPBACK_LIMITS });
    await exportRelease({
      ...ADDRESSES,
      catalog: fixture.folder,
      directory,
      deployedAt: null,
      upstream: `http://127.0.0.1:${api.port}`,
      buildSite: null,
      now: Date.now(),
    });
    tree = join(directory, "current");
    nginx = await runNginx(tree);
    ends.push(
      () => nginx.stop(),
      () => api.stop(),
      () => service.close(),
      () => fixture.remove(),
      () => rm(directory, { recursive: true, force: true }),
    );
  });
  after(async () => {
    for (const end of ends) await end();
  });

  async function expectSame(request: RequestSample): Promise<void> {
    const [live, sent] = await Promise.all(
      [api.port, nginx.apiPort].map(async (port) => {
        const { status, headers, body } = await sendRequest(port, request);
        const compared = COMPARED.map((name) => [name, headers[name]]);
        return { status, body: body.replaceAll(UUID, "<id>"), ...Object.fromEntries(compared) };
      }),
    );
    assert.deepEqual(sent, live, `${request.method} ${request.target}`);
  }

  test("nginx reads the rules without a warning", () => {
    assert.deepEqual(nginx.warnings, []);
  });

  test("each file is sent as the service sends it, plain and compressed", async () => {
    const targets = listExported(tree).map(addressOf);
    const files = targets.filter((target) => !/\?|^\/feeds\/tauri\/\w+\//.test(target));
    for (const target of files) {
      await expectSame({ target });
      await expectSame({ target, method: "HEAD" });
      await expectSame({ target, headers: { "Accept-Encoding": "gzip" } });
      assert.equal(await isOfService(target), false, target);
    }
    const { headers } = await sendRequest(nginx.apiPort, {
      target: MANIFEST,
      headers: { "Accept-Encoding": "gzip" },
    });
    assert.equal(headers["content-encoding"], "gzip");
  });

  test("each form of a file has a validator, with which it is found unchanged", async () => {
    const etags = new Set<string>();
    for (const encoding of ["identity", "gzip"]) {
      const accepting = { "Accept-Encoding": encoding };
      const first = await sendRequest(nginx.apiPort, { target: MANIFEST, headers: accepting });
      const etag = first.headers["etag"] ?? "";
      assert.match(etag, /^"[^"]+"$/);
      etags.add(etag);
      const again = await sendRequest(nginx.apiPort, {
        target: MANIFEST,
        headers: { ...accepting, "If-None-Match": etag },
      });
      assert.equal(again.status, 304);
      assert.equal(again.headers["etag"], etag);
      assert.equal(again.headers["cache-control"], first.headers["cache-control"]);
    }
    assert.equal(etags.size, 2);
  });

  test("the service responds to everything that is no file", async () => {
    const targets = [
      "/health",
      "/download?platform=linux&x=%20a+b",
      `${MANIFEST}?cache=1`,
      `${MANIFEST}/index.json`,
      `${MANIFEST}/index.json.gz`,
      "/api/v1/releases?channel=beta&limit=7&page=2",
      "/api/v1/releases?page=0",
      "/api/v1/releases/latest?channel=beta",
      "/api/v1/releases/latest?channel=nonsense",
      "/api/v1/releases/9.9.9",
      "/api/v1/releases/index.json",
      "/api/v1/releases/1.2.3%2Fdownloads",
      "/api/v1/releases/%31.2.3",
      "//api/v1/manifest",
      "/api/v1/./manifest",
      "/api/v1/update/linux?version=1.0.0&build=1",
      "/api/v1/update/ios?version=1.0.0&build=1",
      "/api/v1/download/linux",
      "/api/v1/download/nothing",
      "/feeds/electron/latest.yml.gz",
      "/feeds/tauri/stable/windows/x86_64/1.0.0",
      "/feeds/tauri/stable/windows/x86_64/999.0.0",
      "/_headers",
      "/nowhere",
    ];
    for (const target of targets) {
      await expectSame({ target });
      assert.equal(await isOfService(target), true, target);
    }
    await expectSame({ target: MANIFEST, method: "OPTIONS" });
    await expectSame({ target: MANIFEST, method: "POST" });
    await expectSame({ target: "/feeds/electron/latest.yml", method: "DELETE" });
  });
});
