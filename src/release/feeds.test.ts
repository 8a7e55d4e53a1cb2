/** The feeds for other updaters, as the service sends them. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createCatalogFixture, type CatalogFixture } from "../../test/fixtures/catalog.ts";
import { createChecker } from "../contract/check.ts";
import { RELEASE_API } from "../contract/release/feed-routes.ts";
import { CACHE } from "../contract/release/routes.ts";
import type { ErrorResponse } from "../contract/release/schemas.ts";
import { createReleaseService, type ReleaseService } from "./service.ts";

const ADDRESSES = {
  baseUrl: "https://releases.example.com",
  smartDownloadUrl: "https://get.example.com",
  websiteDownloadUrl: "https://www.example.com/#download",
};

let fixture: CatalogFixture;
let service: ReleaseService;

before(async () => {
  fixture = await createCatalogFixture({ releases: 12, forUpdaters: true });
  service = createReleaseService({ ...ADDRESSES, catalog: fixture.folder });
  await service.ready;
});
after(async () => {
  await service.close();
  await fixture.remove();
});

function ask(path: string, init: RequestInit = {}, asked = service): Promise<Response> {
  return asked.fetch(new Request(`${ADDRESSES.baseUrl}${path}`, init));
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as ErrorResponse).error.code}`;
}

const FEEDS = [
  ...["latest", "beta"].flatMap((channel) =>
    ["", "-mac", "-linux", "-linux-arm64"].map((end) => `/feeds/electron/${channel}${end}.yml`),
  ),
  "/feeds/tauri/stable.json",
  "/feeds/tauri/beta.json",
  "/feeds/tauri/stable/windows/x86_64/1.0.0",
  "/feeds/sparkle/stable/appcast.xml",
  "/feeds/sparkle/beta/appcast.xml",
  "/feeds/squirrel/stable/darwin/arm64/RELEASES.json",
];

test("every feed is cached for minutes, has a validator, and is there for HEAD and other origins", async () => {
  for (const path of FEEDS) {
    const response = await ask(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("Cache-Control"), CACHE.current);
    assert.equal(response.headers.get("Access-Control-Allow-Origin"), "*");
    const etag = response.headers.get("ETag") ?? "";
    assert.match(etag, /^"[\w-]{43}"$/);
    const head = await ask(path, { method: "HEAD" });
    assert.deepEqual(
      [head.status, head.headers.get("ETag"), await head.text()],
      [200, etag, ""],
      path,
    );
    const unchanged = await ask(path, { headers: { "If-None-Match": `"x", W/${etag}` } });
    assert.deepEqual([unchanged.status, await unchanged.text()], [304, ""]);
    assert.equal(unchanged.headers.get("Cache-Control"), CACHE.current);
    assert.equal((await ask(path, { method: "OPTIONS" })).status, 204);
    assert.equal(await codeOf(await ask(path, { method: "POST" })), "404 not_found");
  }
});

test("an appcast changes when a deadline passes, and no cache keeps it longer", async (t) => {
  const release = fixture.releases.find((item) => item.mandatoryAfter !== null);
  const deadline = Date.parse(release?.mandatoryAfter ?? "");
  let clock = deadline - 300_001;
  const timed = createReleaseService({ ...ADDRESSES, catalog: fixture.folder, now: () => clock });
  t.after(() => timed.close());
  const path = "/feeds/sparkle/stable/appcast.xml";
  const read = async (at: number, etag = "") => {
    clock = at;
    const response = await ask(path, { headers: { "If-None-Match": etag } }, timed);
    return {
      status: response.status,
      cache: response.headers.get("Cache-Control"),
      etag: response.headers.get("ETag") ?? "",
      critical: (await response.text()).match(/<sparkle:criticalUpdate\/>/g)?.length ?? 0,
    };
  };
  const early = await read(clock);
  assert.deepEqual([early.cache, early.critical], [CACHE.current, 0]);
  for (const [before, cache] of [
    [100_500, "public, max-age=60, s-maxage=100"],
    [59_999, "public, max-age=59, s-maxage=59"],
    [1, "public, max-age=0, s-maxage=0"],
  ] as const) {
    const { status, etag, ...rest } = await read(deadline - before, early.etag);
    assert.deepEqual([status, etag, rest.cache], [304, early.etag, cache]);
  }
  const late = await read(deadline, early.etag);
  assert.deepEqual([late.status, late.cache], [200, CACHE.current]);
  assert.notEqual(late.etag, early.etag);
  // One for each system.
  assert.ok(late.critical > 0);
  const other = await ask("/feeds/electron/latest.yml", {}, timed);
  assert.equal(other.headers.get("Cache-Control"), CACHE.current);
  // A clock that is set back.
  assert.equal((await read(deadline - 1)).critical, 0);
});

test("each kind of feed has its media type, and JSON has the schema of its route", async () => {
  const checkers = new Map(
    RELEASE_API.routes.map(({ path, responses }) => [path, responses[200]?.schema]),
  );
  for (const [path, route, type] of [
    ["/feeds/electron/latest.yml", null, "application/yaml"],
    ["/feeds/sparkle/stable/appcast.xml", null, "application/rss+xml; charset=utf-8"],
    ["/feeds/tauri/stable.json", "/feeds/tauri/{file}", null],
    [
      "/feeds/tauri/beta/darwin/aarch64/0.9.0-beta.1",
      "/feeds/tauri/{channel}/{target}/{arch}/{current_version}",
      null,
    ],
    [
      "/feeds/squirrel/beta/darwin/x64/RELEASES.json",
      "/feeds/squirrel/{channel}/darwin/{arch}/RELEASES.json",
      null,
    ],
  ] as const) {
    const response = await ask(path);
    const expected = type ?? "application/json; charset=utf-8";
    assert.equal(response.headers.get("Content-Type"), expected, path);
    const schema = route === null ? undefined : checkers.get(route);
    if (schema === undefined) continue;
    assert.deepEqual(createChecker(schema).errors(await response.json()), [], path);
  }
});

test("a Tauri app is offered what is newer than its version", async () => {
  const newest = "1.1.1";
  for (const [version, status] of [
    ["1.0.9", 200],
    [`${newest}-beta.1`, 200],
    ["1.1.0%2B5", 200],
    [newest, 204],
    [`${newest}%2B5`, 204],
    ["1.10.0", 204],
    ["2.0.0-alpha", 204],
  ] as const) {
    const response = await ask(`/feeds/tauri/stable/linux/x86_64/${version}`);
    assert.equal(response.status, status, version);
    assert.equal(response.headers.get("Cache-Control"), CACHE.current);
  }
  // No release has a file for it, so there is no update either.
  assert.equal((await ask("/feeds/tauri/stable/darwin/i686/1.0.0")).status, 204);
});

test("an address that no updater asks for is an error of the contract's list", async () => {
  for (const [path, expected] of [
    ["/feeds", "404 not_found"],
    ["/feeds/electron", "404 not_found"],
    ["/feeds/electron/stable.yml", "404 not_found"],
    ["/feeds/electron/latest-windows.yml", "404 not_found"],
    ["/feeds/electron/Latest.yml", "404 not_found"],
    ["/feeds/tauri/latest.json", "404 not_found"],
    ["/feeds/tauri/nightly/windows/x86_64/1.0.0", "400 invalid_channel"],
    ["/feeds/tauri/stable/macos/x86_64/1.0.0", "400 invalid_update_request"],
    ["/feeds/tauri/stable/windows/x64/1.0.0", "400 invalid_update_request"],
    ["/feeds/tauri/stable/windows/x86_64/v1.0.0", "400 invalid_update_request"],
    ["/feeds/tauri/stable/windows/x86_64/1.0", "400 invalid_update_request"],
    ["/feeds/tauri/stable/windows/x86_64/01.0.0", "400 invalid_update_request"],
    ["/feeds/tauri/stable/windows/x86_64", "404 not_found"],
    ["/feeds/sparkle/nightly/appcast.xml", "400 invalid_channel"],
    ["/feeds/sparkle/stable/appcast.XML", "404 not_found"],
    ["/feeds/squirrel/stable/darwin/ia32/RELEASES.json", "404 not_found"],
    ["/feeds/squirrel/nightly/darwin/x64/RELEASES.json", "400 invalid_channel"],
  ] as const) {
    assert.equal(await codeOf(await ask(path)), expected, path);
  }
});

test("a feed that is turned off has no address, and the others stay", async () => {
  const some = createReleaseService({
    ...ADDRESSES,
    catalog: fixture.folder,
    feeds: { electron: false, tauri: false },
  });
  try {
    for (const path of FEEDS) {
      const isOff = /electron|tauri/.test(path);
      const response = await ask(path, {}, some);
      if (isOff) assert.equal(await codeOf(response), "404 not_found", path);
      else assert.equal(response.status, 200, path);
      assert.equal((await ask(path, { method: "OPTIONS" }, some)).status, isOff ? 404 : 204);
    }
  } finally {
    await some.close();
  }
});

test("without a release that an updater can use, its feed is not found", async () => {
  const plain = await createCatalogFixture({ releases: 3 });
  const other = createReleaseService({ ...ADDRESSES, catalog: plain.folder });
  try {
    for (const path of FEEDS) {
      const response = await ask(path, {}, other);
      if (path.includes("/tauri/stable/")) assert.equal(response.status, 204);
      else assert.equal(await codeOf(response), "404 release_not_found", path);
    }
  } finally {
    await other.close();
    await plain.remove();
  }
});

test("a long history makes no feed longer", async () => {
  const long = await createCatalogFixture({ releases: 200, forUpdaters: true });
  const other = createReleaseService({ ...ADDRESSES, catalog: long.folder });
  try {
    const items = async (asked: ReleaseService) =>
      (await (await ask("/feeds/sparkle/beta/appcast.xml", {}, asked)).text()).split("<item>")
        .length;
    // Ten of each channel, and four files of each; the shorter catalogue has twelve in all.
    assert.equal(await items(other), 1 + 20 * 5);
    assert.equal(await items(service), 1 + 12 * 5);
  } finally {
    await other.close();
    await long.remove();
  }
});

test("a rollout in catalog.json is in the feeds, whether the manifest was signed with it or not", async () => {
  const staged = await createCatalogFixture({
    releases: 5,
    betaEvery: 0,
    forUpdaters: true,
    settings: { rollouts: [{ version: "1.0.5", percent: 25 }] },
  });
  const other = createReleaseService({ ...ADDRESSES, catalog: staged.folder });
  const read = async (path: string) => (await ask(path, {}, other)).text();
  try {
    assert.match(await read("/feeds/electron/latest.yml"), /^stagingPercentage: 25$/m);
    assert.match(await read("/feeds/sparkle/stable/appcast.xml"), /phasedRolloutInterval>86400</);
    assert.match(await read("/feeds/tauri/stable.json"), /"version":"1\.0\.4"/);
    // Without a manifest the whole catalogue is read; the feeds stay the same.
    const before = await Promise.all(FEEDS.map(read));
    await rm(join(staged.folder, "manifest.json"));
    const whole = createReleaseService({ ...ADDRESSES, catalog: staged.folder });
    const sent = await Promise.all(FEEDS.map(async (path) => (await ask(path, {}, whole)).text()));
    await whole.close();
    const withoutId = (text: string) => text.replace(/"requestId".*/, "");
    assert.deepEqual(sent.map(withoutId), before.map(withoutId));
  } finally {
    await other.close();
    await staged.remove();
  }
});

test("what an app calls itself is in the feeds, and in no response of the contract", async (t) => {
  const options = { releases: 12, forUpdaters: true, now: Date.now() };
  const plain = await createCatalogFixture(options);
  const named = await createCatalogFixture({ ...options, betaAppVersion: "1.3.0-beta.10" });
  t.after(() => Promise.all([plain.remove(), named.remove()]));
  const beta = named.releases.find(({ channel }) => channel === "beta");
  const { version = "" } = beta ?? {};
  const contract = [
    "/api/v1/releases?channel=beta",
    "/api/v1/releases/latest?channel=beta",
    `/api/v1/releases/${version}`,
    `/api/v1/releases/${version}/downloads`,
    `/api/v1/update/windows?version=1.0.0&build=1&channel=beta`,
  ];
  const texts = async (paths: readonly string[], { folder } = named) => {
    const reading = createReleaseService({ ...ADDRESSES, catalog: folder });
    t.after(() => reading.close());
    await reading.ready;
    return Promise.all(
      paths.map(async (path) => {
        const response = await ask(path, {}, reading);
        return `${response.status} ${response.headers.get("ETag")} ${await response.text()}`;
      }),
    );
  };
  const expected = await texts(contract, plain);
  assert.ok(expected.every((text) => text.startsWith("200 ")));
  assert.deepEqual(await texts(contract), expected);

  const feeds = [
    "/feeds/electron/beta.yml",
    "/feeds/tauri/beta.json",
    "/feeds/sparkle/beta/appcast.xml",
    "/feeds/squirrel/beta/darwin/arm64/RELEASES.json",
  ];
  for (const text of await texts(feeds)) {
    assert.match(
      text,
      /(?: version: "|"version":"|"currentRelease":"|VersionString>)1\.3\.0-beta\.10\b/m,
    );
    assert.ok(!text.includes(`"${version}"`));
  }
  const machine = "/feeds/tauri/beta/windows/x86_64";
  const offered = ["1.2.9", "1.3.0-alpha.20", "1.3.0-beta.9", "1.3.0-beta"];
  for (const text of await texts(offered.map((installed) => `${machine}/${installed}`))) {
    assert.match(text, /^200 /);
  }
  const own = ["1.3.0-beta.10", "1.3.0-beta.10%2B7", "1.3.0-beta.11", "1.3.0-rc.1", "1.3.0"];
  for (const text of await texts(own.map((installed) => `${machine}/${installed}`))) {
    assert.match(text, /^204 /);
  }
});
