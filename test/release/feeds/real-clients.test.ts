/**
 * The feeds of a catalogue that the command line made, read by the code of the updaters themselves or
 * by the programs that they are compatible with.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { MacUpdater } from "electron-updater/out/MacUpdater.js";
import { GenericProvider } from "electron-updater/out/providers/GenericProvider.js";
import { findFile } from "electron-updater/out/providers/Provider.js";
import type { AppUpdater, ResolvedUpdateFileInfo } from "electron-updater";
import type { Release } from "../../../src/contract/release/schemas.ts";
import type { CatalogFile } from "../../../src/contract/release/catalog.ts";
import type { Coverage, CoverageRow } from "../../../src/rules/release/coverage/find-coverage.ts";
import { createReleaseService, type ReleaseService } from "../../../src/release/service.ts";
import { appendBlockMap } from "../../fixtures/block-map.ts";
import { createCatalogFixture, type CatalogFixture } from "../../fixtures/catalog.ts";
import { readXml } from "../../fixtures/read-xml.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import {
  createCancellationToken,
  createExecutor,
  DifferentialDownloader,
} from "./electron-executor.ts";

const BASE_URL = "https://releases.example.com";
const FILES = [
  ["windows", "x64", "Habits Setup 3.0.0.exe"],
  ["windows", "arm64", "Habits Setup 3.0.0-arm64.exe"],
  ["macos", "universal", "Habits-3.0.0+7.zip"],
  ["macos", "arm64", "Habits-3.0.0-arm64.zip"],
  ["macos", "universal", "Habits.app.tar.gz"],
  ["linux", "x64", "Habits-3.0.0.AppImage"],
  ["linux", "x64", "habits_3.0.0_amd64.deb"],
  ["linux", "arm64", "Habits-3.0.0-arm64.AppImage"],
  ["linux", "armv7", "Habits-3.0.0-armv7l.AppImage"],
  ["linux", "armv7", "habits_3.0.0_armhf.deb"],
  ["linux", "x86", "Habits-3.0.0-i386.AppImage"],
] as const;

const APP_IMAGE = "Habits-3.0.0.AppImage";
/** Content of an AppImage, of which one block of a hundred differs between two releases. */
const blocks = (changed: string) =>
  Buffer.concat(
    Array.from({ length: 100 }, (_, index) =>
      Buffer.alloc(1024, index === 50 ? changed : `block ${index} `),
    ),
  );

let fixture: CatalogFixture;
let place: string;
let service: ReleaseService;
let server: Server;
/** What `publish` said about who gets the release. */
let coverage: Coverage;
/** What the download server sends, by the path. */
const sent = new Map<string, Buffer>();
/** How many bytes of files it sent. */
let sentBytes = 0;

before(async () => {
  fixture = await createCatalogFixture({ releases: 2, betaEvery: 0, settings: { targets: [] } });
  place = dirname(fixture.folder);
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runInside(place, ["release", ...words]);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };
  await run("key", "new", "--kind", "minisign");
  await run("key", "new", "--kind", "sparkle");
  await run("new", "3.0.0", "--build", "3");
  for (const [platform, architecture, name] of FILES) {
    const content =
      name === APP_IMAGE ? appendBlockMap(blocks("new")) : Buffer.from(`the content of ${name}`);
    const url = `https://downloads.example.com/3.0.0/${encodeURIComponent(name)}`;
    sent.set(new URL(url).pathname, content);
    writeFileSync(join(place, name), content);
    const about = ["--platform", platform, "--architecture", architecture, "--url", url];
    await run("add-artifact", "3.0.0", join(place, name), ...about, "--minisign", "--sparkle");
  }
  // The releases before it were for Android too.
  const published = await run("publish", "3.0.0", "--allow-lost-coverage", "--json");
  ({ coverage } = JSON.parse(published) as { coverage: Coverage });
  service = createReleaseService({
    catalog: fixture.folder,
    baseUrl: BASE_URL,
    smartDownloadUrl: "https://get.example.com",
    websiteDownloadUrl: "https://www.example.com/#download",
  });
  await service.ready;
  server = createServer((request, response) => {
    const path = request.url ?? "";
    const file = sent.get(path);
    if (file !== undefined) {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      const part = first === undefined ? file : file.subarray(Number(first), Number(last) + 1);
      sentBytes += part.length;
      return void response.writeHead(first === undefined ? 200 : 206).end(part);
    }
    void fetchFeed(path).then(async (feed) => {
      response.writeHead(feed.status).end(await feed.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  server.close();
  await service.close();
  await fixture.remove();
});

const fetchFeed = (path: string) => service.fetch(new Request(`${BASE_URL}${path}`));
const settings = () =>
  JSON.parse(readFileSync(join(fixture.folder, "catalog.json"), "utf8")) as CatalogFile;

/** electron-updater's provider as an app configures it: with one address. */
function createProvider(platform: "win32" | "darwin" | "linux", channel: string | null = null) {
  const executor = createExecutor((server.address() as AddressInfo).port);
  const provider = new GenericProvider(
    { provider: "generic", url: `${BASE_URL}/feeds/electron` },
    { channel, isAddNoCacheQuery: true } as unknown as AppUpdater,
    { isUseMultipleRangeRequest: false, platform, executor } as never,
  );
  return { provider, executor };
}

function nameOf({ url }: ResolvedUpdateFileInfo): string {
  return decodeURIComponent(url.pathname.split("/").at(-1) ?? "");
}

test("electron-updater finds the version and the file of its platform and architecture", async () => {
  for (const channel of [null, "beta"]) {
    for (const [platform, architecture, extension, not, expected] of [
      ["win32", "x64", "exe", undefined, "Habits Setup 3.0.0.exe"],
      ["win32", "arm64", "exe", undefined, "Habits Setup 3.0.0-arm64.exe"],
      ["linux", "x64", "AppImage", ["rpm", "deb", "pacman"], "Habits-3.0.0.AppImage"],
      ["linux", "x64", "deb", ["AppImage", "rpm", "pacman"], "habits_3.0.0_amd64.deb"],
      ["linux", "arm64", "AppImage", ["rpm", "deb", "pacman"], "Habits-3.0.0-arm64.AppImage"],
      ["linux", "arm", "AppImage", ["rpm", "deb", "pacman"], "Habits-3.0.0-armv7l.AppImage"],
      ["linux", "arm", "deb", ["AppImage", "rpm", "pacman"], "habits_3.0.0_armhf.deb"],
      ["linux", "ia32", "AppImage", ["rpm", "deb", "pacman"], "Habits-3.0.0-i386.AppImage"],
    ] as const) {
      await onMachine(architecture, async () => {
        const { provider } = createProvider(platform, channel);
        const info = await provider.getLatestVersion();
        assert.equal(info.version, "3.0.0");
        const file = findFile(provider.resolveFiles(info), extension, not && [...not]);
        assert.equal(nameOf(file ?? assert.fail()), expected);
      });
    }
  }
});

const NODE_SYSTEMS = { windows: "win32", macos: "darwin", linux: "linux" } as const;
const NODE_NAMES: Readonly<Record<string, string>> = { x86: "ia32", armv7: "arm" };

test("electron-updater takes the file that publish said, on every system and architecture", async () => {
  const rows = coverage.rows.filter(({ updater }) => updater === "electron");
  assert.equal(rows.length, 10);
  const taken = async ({ system, architecture, package: kind }: CoverageRow) => {
    const platform = NODE_SYSTEMS[system as keyof typeof NODE_SYSTEMS];
    const { provider } = createProvider(platform);
    const files = provider.resolveFiles(await provider.getLatestVersion());
    const own = system === "macos" ? filterFilesForArch(files, architecture === "arm64") : files;
    const extension = kind ?? (system === "macos" ? "zip" : "exe");
    return findFile(own, extension) ?? assert.fail(extension);
  };
  for (const row of rows) {
    await onMachine(NODE_NAMES[row.architecture] ?? row.architecture, async () => {
      const name = nameOf(await taken(row)).replaceAll(/[^A-Za-z0-9._]+/g, "-");
      assert.equal(name, row.fileName, `${row.system} ${row.architecture}`);
    });
  }
});

/** The updater asks Node for the architecture of the machine. */
async function onMachine<T>(architecture: string, use: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(process, "arch") ?? assert.fail();
  Object.defineProperty(process, "arch", { ...own, value: architecture });
  try {
    return await use();
  } finally {
    Object.defineProperty(process, "arch", own);
  }
}

/** Protected in its declaration; the updater calls it before `findFile`. */
const { filterFilesForArch } = MacUpdater as unknown as {
  filterFilesForArch(
    files: ResolvedUpdateFileInfo[],
    isArm64Mac: boolean,
  ): ResolvedUpdateFileInfo[];
};

test("electron-updater chooses the archive for the processor of a Mac", async () => {
  const { provider } = createProvider("darwin");
  const files = provider.resolveFiles(await provider.getLatestVersion());
  const choose = (isArm64: boolean) => {
    const own = filterFilesForArch(files, isArm64);
    return nameOf(findFile(own, "zip", ["pkg", "dmg"]) ?? assert.fail());
  };
  assert.equal(choose(true), "Habits-3.0.0-arm64.zip");
  assert.equal(choose(false), "Habits-3.0.0+7.zip");
});

test("electron-updater downloads the file and verifies it, and refuses another one", async () => {
  const { provider, executor } = createProvider("win32");
  const [file] = provider.resolveFiles(await provider.getLatestVersion());
  assert.ok(file !== undefined);
  const destination = join(place, "downloaded.exe");
  const download = () =>
    executor.download(file.url, destination, {
      sha512: file.info.sha512,
      cancellationToken: createCancellationToken(),
    });
  await download();
  const original = sent.get(file.url.pathname) ?? assert.fail();
  assert.deepEqual(readFileSync(destination), original);
  assert.equal(file.info.size, original.length);
  sent.set(file.url.pathname, Buffer.from(original.toString().replace("content", "Content")));
  try {
    await assert.rejects(download(), /sha512 checksum mismatch/);
  } finally {
    sent.set(file.url.pathname, original);
  }
});

test("electron-updater fetches only the blocks of an AppImage that changed", async () => {
  const { provider, executor } = createProvider("linux");
  const info = await onMachine("x64", () => provider.getLatestVersion());
  const found = findFile(provider.resolveFiles(info), "AppImage", ["deb"]) ?? assert.fail();
  // No response of the contract has the member.
  const { artifacts } = (await (await fetchFeed("/api/v1/releases/latest")).json()) as Release;
  assert.ok(artifacts.every((artifact) => !("blockMapSize" in artifact)));
  const { size = 0, blockMapSize = 0, sha512 } = found.info;
  const [oldFile, newFile] = [join(place, "old.AppImage"), join(place, "new.AppImage")];
  writeFileSync(oldFile, appendBlockMap(blocks("old")));
  sentBytes = 0;
  await new DifferentialDownloader({ size, blockMapSize, sha512 }, executor, {
    newUrl: found.url,
    oldFile,
    newFile,
    logger: { info() {}, debug() {}, warn() {}, error() {} },
    isUseMultipleRangeRequest: false,
    requestHeaders: null,
    cancellationToken: createCancellationToken(),
  }).download();
  assert.deepEqual(readFileSync(newFile), sent.get(`/3.0.0/${APP_IMAGE}`));
  assert.ok(sentBytes > 1024 && sentBytes < size / 10, `${sentBytes} of ${size} bytes`);
});

test("a strict XML reader reads the appcast, and its signatures hold for the files", async () => {
  const rss = readXml(await (await fetchFeed("/feeds/sparkle/stable/appcast.xml")).text());
  const x = Buffer.from(settings().updaterKeys?.sparkle?.publicKey ?? "", "base64");
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") },
    format: "jwk",
  });
  const items = rss.children[0]?.children.filter(({ name }) => name === "item") ?? [];
  // One for the Mac, two architectures of Windows, and four of Linux.
  assert.equal(items.length, 7);
  for (const item of items) {
    const enclosure = item.children.find(({ name }) => name === "enclosure");
    const { url = "", length, "sparkle:edSignature": signature = "" } = enclosure?.attributes ?? {};
    const file = sent.get(new URL(url).pathname) ?? assert.fail(url);
    assert.equal(length, String(file.length));
    assert.ok(verify(null, file, key, Buffer.from(signature, "base64")), url);
    const other = Buffer.concat([file, Buffer.from("x")]);
    assert.ok(!verify(null, other, key, Buffer.from(signature, "base64")), url);
  }
});

const minisign = (...words: string[]) =>
  spawnSync("minisign", words, { cwd: place, encoding: "utf8" });
const skip =
  spawnSync("minisign", ["-v"]).error !== undefined &&
  "minisign is not installed; the signatures of its programs are compared in src/release/publishing";

test(
  "minisign accepts the signature of every file for Tauri, and no other file",
  { skip },
  async () => {
    const publicKey = settings().updaterKeys?.minisign?.publicKey ?? assert.fail();
    const feed = (await (await fetchFeed("/feeds/tauri/stable.json")).json()) as {
      platforms: Record<string, { url: string; signature: string }>;
    };
    assert.deepEqual(Object.keys(feed.platforms).sort(), [
      "darwin-aarch64",
      "darwin-aarch64-app",
      "darwin-x86_64",
      "darwin-x86_64-app",
      "linux-aarch64",
      "linux-aarch64-appimage",
      "linux-armv7",
      "linux-armv7-appimage",
      "linux-armv7-deb",
      "linux-i686",
      "linux-i686-appimage",
      "linux-x86_64",
      "linux-x86_64-appimage",
      "linux-x86_64-deb",
      "windows-aarch64",
      "windows-aarch64-nsis",
      "windows-x86_64",
      "windows-x86_64-nsis",
    ]);
    for (const { url, signature } of Object.values(feed.platforms)) {
      const file = sent.get(new URL(url).pathname) ?? assert.fail(url);
      writeFileSync(join(place, "update"), file);
      writeFileSync(join(place, "update.sig"), Buffer.from(signature, "base64"));
      const words = ["-V", "-P", publicKey, "-m", "update", "-x", "update.sig"];
      const accepted = minisign(...words);
      assert.equal(accepted.status, 0, accepted.stderr);
      writeFileSync(join(place, "update"), createHash("sha256").update(file).digest());
      assert.notEqual(minisign(...words).status, 0, url);
    }
  },
);
