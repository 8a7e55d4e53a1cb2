/** The whole way of a maker with three platforms and a beta, with the commands of the guide. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { NsisUpdater } from "electron-updater/out/NsisUpdater.js";
import { createReleaseService, type ReleaseService } from "../../src/release/service.ts";
import type { Coverage } from "../../src/rules/release/coverage/find-coverage.ts";
import { builtFiles } from "../fixtures/built-files.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { ADDRESSES } from "./export/addresses.ts";
import { expectServedAlike, listExported } from "./export/exported-files.ts";
import { createExecutor } from "./feeds/electron-executor.ts";

const DOWNLOADS = "https://downloads.example.com";
const BETA = "1.5.0-beta.2";

let home: string;
let service: ReleaseService;
let server: Server;
/** What `check` said about each draft. */
const coverages: Coverage[] = [];

const run = (...words: string[]) => runInside(home, ["release", ...words]);

async function succeed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words);
  assert.equal(code, 0, stderr || stdout);
  return stdout;
}

/** Builds, enters, checks and publishes; `called` is what the app calls itself. */
async function release(version: string, called: string, ...options: string[]): Promise<void> {
  const folder = join(home, "build", version);
  await mkdir(folder, { recursive: true });
  const files = Object.entries(builtFiles(called));
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  const paths = files.map(([name]) => join(folder, name));
  const sign = ["--minisign", "--sparkle", "--yes"];
  await succeed("add", version, ...paths, "--url-base", `${DOWNLOADS}/files`, ...options, ...sign);
  await succeed("notes", version, "--note", `added=What ${called} has`);
  const checked = JSON.parse(await succeed("check", "--json")) as { coverage: Coverage[] };
  coverages.push(...checked.coverage.filter((coverage) => coverage.version === version));
  await succeed("publish", version, "--yes");
}

before(async () => {
  home = await mkdtemp(join(tmpdir(), "trellis-maker-"));
  const { baseUrl, websiteDownloadUrl, smartDownloadUrl } = ADDRESSES;
  const section = { baseUrl, websiteDownloadUrl, smartDownload: { url: smartDownloadUrl } };
  await writeFile(join(home, "trellis.config.json"), JSON.stringify({ release: section }));
  await succeed("init", "--product", "habits");
  await succeed("key", "new");
  await succeed("key", "new", "--kind", "minisign");
  await succeed("key", "new", "--kind", "sparkle");
  await release("1.4.0", "1.4.0", "--build", "14");
  await release("1.4.90", BETA, "--build", "15", "--channel", "beta", "--app-version", BETA);
  service = createReleaseService({ ...ADDRESSES, catalog: join(home, "catalog") });
  await service.ready;
  server = createServer((request, response) => {
    void live(request.url ?? "").then(async (feed) => {
      response.writeHead(feed.status).end(await feed.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  server.close();
  await service.close();
  await rm(home, { recursive: true, force: true });
});

const live = (target: string) => service.fetch(new Request(`${ADDRESSES.baseUrl}${target}`));
const textOf = async (target: string) => (await live(target)).text();

test("check tells of each draft who gets it, by both names of a beta", () => {
  assert.deepEqual(
    coverages.map(({ version, appVersion }) => [version, appVersion]),
    [
      ["1.4.0", undefined],
      ["1.4.90", BETA],
    ],
  );
  for (const { version, rows } of coverages) {
    const updaters = new Set(rows.map(({ updater }) => updater));
    assert.deepEqual([...updaters].sort(), ["client", "electron", "sparkle", "squirrel", "tauri"]);
    for (const row of rows) {
      const name = `${version} ${row.updater} ${row.system} ${row.architecture} ${row.package}`;
      assert.deepEqual([row.result, row.isLost], ["gets", false], `${name}: ${row.reason}`);
    }
  }
});

test("every feed has its file, under the app's own name", async () => {
  for (const [channel, version] of [
    ["latest", "1.4.0"],
    ["beta", BETA],
  ] as const) {
    for (const [target, file] of [
      ["", `Habits%20Setup%20${version}-x64.exe`],
      ["-mac", `Habits-${version}-mac.zip`],
      ["-linux", `Habits-${version}.AppImage`],
    ]) {
      const text = await textOf(`/feeds/electron/${channel}${target}.yml`);
      assert.match(text, new RegExp(`^version: "${version}"$`, "m"));
      assert.ok(text.includes(`${DOWNLOADS}/files/${file}`), text);
    }
  }
  const appcast = await textOf("/feeds/sparkle/beta/appcast.xml");
  assert.match(appcast, /<sparkle:shortVersionString>1\.5\.0-beta\.2</);
  const decision = JSON.parse(
    await textOf("/api/v1/update/macos?version=1.4.0&build=14&channel=beta"),
  );
  assert.deepEqual(decision.target, { version: "1.4.90", buildNumber: 15 });
  // People are led to the disk image, not to the updater's archive.
  const { headers } = await live("/api/v1/download/macos");
  assert.equal(headers.get("Location"), `${DOWNLOADS}/files/Habits-1.4.0-universal.dmg`);
});

test("a Tauri app on its own beta is not offered itself, nor an older release", async () => {
  const tauri = "/feeds/tauri/beta/darwin/aarch64/app";
  for (const installed of [BETA, "1.5.0-beta.3", "1.5.0"]) {
    assert.equal((await live(`${tauri}/${installed}`)).status, 204, installed);
  }
  const offered = JSON.parse(await textOf(`${tauri}/1.5.0-beta.1`));
  assert.equal(offered.version, BETA);
  assert.equal(offered.url, `${DOWNLOADS}/files/Habits-1.5.0-beta.2.app.tar.gz`);
});

/** electron-updater as an app with this version runs it; null when it offers nothing. */
async function offeredByElectron(version: string, isTester: boolean): Promise<string | null> {
  const app = {
    version,
    name: "habits",
    isPackaged: true,
    userDataPath: home,
    baseCachePath: home,
    whenReady: async () => {},
  };
  const updater = new NsisUpdater(null, app as never);
  updater.logger = null;
  updater.autoDownload = false;
  // As the guide says.
  if (isTester) {
    updater.channel = "beta";
    updater.allowDowngrade = false;
  }
  const executor = createExecutor((server.address() as AddressInfo).port);
  Object.assign(updater, { httpExecutor: executor, _testOnlyOptions: { platform: "win32" } });
  updater.setFeedURL({ provider: "generic", url: `${ADDRESSES.baseUrl}/feeds/electron` });
  const result = await updater.checkForUpdates();
  return result?.isUpdateAvailable === true ? result.updateInfo.version : null;
}

test("electron-updater offers a beta to older versions of the app, and never itself or an older one", async () => {
  for (const [installed, offered] of [
    ["1.4.0", BETA],
    ["1.4.90", BETA],
    ["1.5.0-alpha.9", BETA],
    ["1.5.0-beta.1", BETA],
    [BETA, null],
    [`${BETA}+7`, null],
    ["1.5.0-beta.10", null],
    ["1.5.0-rc.1", null],
    ["1.5.0", null],
  ] as const) {
    assert.equal(await offeredByElectron(installed, true), offered, installed);
  }
  assert.equal(await offeredByElectron("1.3.0", false), "1.4.0");
  for (const installed of ["1.4.0", BETA]) {
    assert.equal(await offeredByElectron(installed, false), null, installed);
  }
});

test("a name that is taken, or older than the last, is refused", async () => {
  for (const wrong of [`${BETA}+7`, "1.5.0-beta.1"]) {
    const words = ["new", "1.4.91", "--build", "16", "--channel", "beta", "--app-version", wrong];
    assert.match((await run(...words)).stderr, /give (?:another|a newer) --app-version/, wrong);
  }
});

test("what was published is what was signed, and the export is what is served", async () => {
  assert.match(await succeed("list"), /^1\.4\.90 \(1\.5\.0-beta\.2\) +15 +beta +published/m);
  await succeed("verify");
  await succeed("export", join(home, "public"));
  const tree = join(home, "public/current");
  const files = listExported(tree);
  for (const file of [
    "/api/v1/manifest/index.json",
    "/feeds/electron/beta-linux.yml",
    "/feeds/files/1.4.90/index.json",
    "/feeds/sparkle/beta/appcast.xml",
    "/feeds/squirrel/beta/darwin/arm64/RELEASES.json",
    "/feeds/tauri/beta/linux/x86_64/rpm/index.json",
  ]) {
    assert.ok(files.includes(file), file);
  }
  await expectServedAlike(tree, live);
});

test("the stable release of its name ends the beta", async () => {
  await release("1.5.0", "1.5.0", "--build", "16");
  const again = createReleaseService({ ...ADDRESSES, catalog: join(home, "catalog") });
  try {
    const path = `${ADDRESSES.baseUrl}/feeds/electron/beta-mac.yml`;
    const response = await again.fetch(new Request(path));
    assert.match(await response.text(), /^version: "1\.5\.0"$/m);
  } finally {
    await again.close();
  }
});
