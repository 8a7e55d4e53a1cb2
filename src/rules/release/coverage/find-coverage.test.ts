import assert from "node:assert/strict";
import { test } from "node:test";
import { FIXTURE_SETTINGS } from "../../../../test/fixtures/catalog.ts";
import { feedArtifact, feedRelease } from "../../../../test/fixtures/feed-release.ts";
import { ALL_FEEDS, FEEDS, type Feed } from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import { findCoverage } from "./find-coverage.ts";
import type { UpdaterName } from "./updaters.ts";

const bare = (artifact: SourceArtifact) => {
  const { sha512: _sha512, signatures: _signatures, ...rest } = artifact;
  return rest;
};

interface Options {
  /** Releases before it, the newest first. */
  readonly earlier?: readonly (readonly SourceArtifact[])[];
  readonly percent?: number;
  readonly feeds?: readonly Feed[];
}

/** The rows of release 2.0.0 as texts; earlier ones are 1.9.0, 1.8.0 and so on. */
function rows(
  updater: UpdaterName,
  artifacts: readonly SourceArtifact[],
  { earlier = [], percent, feeds = FEEDS }: Options = {},
): string[] {
  const releases = [artifacts, ...earlier].map((files, index) => {
    const version = index === 0 ? "2.0.0" : `1.${10 - index}.0`;
    const { percent: _percent, ...release } = feedRelease(version, 20 - index, {
      artifacts: [...files],
    });
    return release;
  });
  const [newest] = releases;
  const settings = Object.fromEntries(
    Object.keys(ALL_FEEDS).map((feed) => [feed, feeds.some((name) => name === feed)]),
  ) as typeof ALL_FEEDS;
  const catalog = { settings: FIXTURE_SETTINGS, releases };
  const coverage = findCoverage(catalog, newest ?? assert.fail(), settings, percent);
  return coverage.rows
    .filter((row) => row.updater === updater)
    .map(({ system, architecture, package: kind, ...row }) =>
      [
        [system, architecture, kind ?? []].flat().join(" "),
        [row.isLost ? "lost" : [], row.result, row.result === "stays" ? (row.version ?? []) : []]
          .flat()
          .join(" "),
        row.fileName ?? row.reason,
      ].join(": "),
    );
}

const complete = [
  feedArtifact("windows", "x64", "a.exe"),
  feedArtifact("macos", "universal", "b.zip"),
  feedArtifact("macos", "universal", "b.app.tar.gz"),
  feedArtifact("linux", "x64", "c.AppImage"),
  feedArtifact("android", "universal", "d.apk", { distribution: "direct" }),
];

test("a complete release reaches every updater of every system that it has a file for", () => {
  assert.deepEqual(rows("client", complete), [
    "android universal apk: gets: d.apk",
    "linux x64 appimage: gets: c.AppImage",
    "macos universal zip: gets: b.zip",
    "windows x64 exe: gets: a.exe",
  ]);
  assert.deepEqual(rows("electron", complete), [
    "linux x64 appimage: gets: c.AppImage",
    "macos arm64: gets: b.zip",
    "macos x64: gets: b.zip",
    "windows x64: gets: a.exe",
  ]);
  assert.deepEqual(rows("tauri", complete), [
    "linux x64 appimage: gets: c.AppImage",
    "macos arm64 app: gets: b.app.tar.gz",
    "macos x64 app: gets: b.app.tar.gz",
    "windows x64 nsis: gets: a.exe",
  ]);
  assert.deepEqual(rows("sparkle", complete), [
    "linux x64: gets: c.AppImage",
    "macos arm64: gets: b.zip",
    "macos x64: gets: b.zip",
    "windows x64: gets: a.exe",
  ]);
  assert.deepEqual(rows("squirrel", complete), [
    "macos arm64: gets: b.zip",
    "macos x64: gets: b.zip",
  ]);
});

test("a disk image without an archive reaches no Mac of electron-updater, and says why", () => {
  const image = [feedArtifact("macos", "universal", "b.dmg")];
  const reason = "it has no file that this updater installs (.zip)";
  assert.deepEqual(rows("electron", image), [
    `macos arm64: none: ${reason}`,
    `macos x64: none: ${reason}`,
  ]);
  const macs = (updater: UpdaterName, ...earlier: (readonly SourceArtifact[])[]) =>
    rows(updater, image, { earlier }).filter((row) => row.startsWith("macos"));
  assert.equal(macs("electron", image, complete)[0], `macos arm64: stays 1.8.0: ${reason}`);
  assert.equal(macs("electron", complete)[0], `macos arm64: lost stays 1.9.0: ${reason}`);
  assert.deepEqual(macs("sparkle", complete), [
    "macos arm64: gets: b.dmg",
    "macos x64: gets: b.dmg",
  ]);
});

test("an installation that the release has no package, architecture or system for is named", () => {
  const before = [
    feedArtifact("linux", "x64", "c.AppImage"),
    feedArtifact("linux", "x64", "c.deb"),
    feedArtifact("linux", "armv7", "c-armv7.AppImage"),
    feedArtifact("windows", "x86", "a-ia32.exe"),
  ];
  const after = [feedArtifact("linux", "x64", "c.deb"), feedArtifact("windows", "x64", "a.exe")];
  assert.deepEqual(rows("electron", after, { earlier: [before] }), [
    "linux armv7 appimage: lost stays 1.9.0: it has no file for linux armv7",
    "linux x64 appimage: lost stays 1.9.0: it has no appimage file for linux x64",
    "linux x64 deb: gets: c.deb",
    "windows x64: gets: a.exe",
    "windows x86: lost stays 1.9.0: it has no file for windows x86",
  ]);
  assert.deepEqual(rows("client", after, { earlier: [before] }), [
    "linux armv7 appimage: lost stays 1.9.0: it has no file for linux armv7",
    "linux x64 appimage: lost stays 1.9.0: it has no appimage file for linux x64",
    "linux x64 deb: gets: c.deb",
    "windows x64 exe: gets: a.exe",
    "windows x86 exe: lost stays 1.9.0: it has no file for windows x86",
  ]);
});

test("a change of the kind of package between two releases is a loss", () => {
  const before = [feedArtifact("windows", "x64", "a.msi")];
  const after = [feedArtifact("windows", "x64", "a.EXE")];
  assert.deepEqual(rows("client", after, { earlier: [before] }), [
    "windows x64 exe: gets: a.EXE",
    "windows x64 msi: lost stays 1.9.0: it has no msi file for windows x64",
  ]);
  // People do not install the archive that another updater takes.
  const archive = feedArtifact("windows", "x64", "a.nsis.zip");
  assert.deepEqual(rows("client", after, { earlier: [[...after, archive]] }), [
    "windows x64 exe: gets: a.EXE",
  ]);
});

test("a file that an updater cannot check is named with what to do", () => {
  const unsigned = complete.map(bare);
  assert.match(rows("electron", unsigned)[0] ?? "", /none: it has no SHA-512/);
  assert.match(rows("tauri", unsigned)[0] ?? "", /^linux x64 appimage: none: .*--signature-file$/);
  assert.match(rows("sparkle", unsigned)[0] ?? "", /none: .*--ed-signature$/);
  assert.equal(
    rows("electron", [feedArtifact("windows", "arm64", "a-arm64.exe")])[0],
    "windows arm64: none: machines without a file of their own would install it; add x64",
  );
});

test("a machine takes a file for another one where it runs that", () => {
  const after = [feedArtifact("windows", "x64", "a.exe"), feedArtifact("macos", "x64", "b.zip")];
  const before = [
    feedArtifact("windows", "arm64", "a-arm64.exe"),
    feedArtifact("windows", "x64", "a.exe"),
    feedArtifact("macos", "universal", "b.zip"),
    feedArtifact("macos", "universal", "b.app.tar.gz"),
  ];
  assert.deepEqual(
    rows("electron", after, { earlier: [before] }).filter((row) => row.includes("arm64")),
    ["macos arm64: gets: b.zip", "windows arm64: gets: a.exe"],
  );
  assert.match(
    rows("tauri", after, { earlier: [before] }).find((row) => row.startsWith("windows arm64")) ??
      "",
    /^windows arm64 nsis: lost stays 1\.9\.0: it has no file for windows arm64$/,
  );
});

test("a rollout loses no installation, and updaters without shares stay on the release before", () => {
  const options = { earlier: [complete], percent: 25 };
  assert.equal(rows("electron", complete, options)[3], "windows x64: gets: a.exe");
  assert.equal(rows("client", complete, options)[3], "windows x64 exe: gets: a.exe");
  const noShares = "stays 1.9.0: it is out for 25 percent, and this updater knows no shares";
  assert.equal(rows("tauri", complete, options)[3], `windows x64 nsis: ${noShares}`);
  assert.equal(rows("sparkle", complete, options)[3], `windows x64: ${noShares}`);
  assert.equal(rows("sparkle", complete, options)[2], "macos x64: gets: b.zip");
  for (const updater of ["client", ...FEEDS] as const) {
    for (const row of rows(updater, complete, { ...options, percent: 0 })) {
      assert.match(row, /: stays 1\.9\.0: its rollout is stopped$/);
    }
  }
});

test("a feed that is turned off has no row, and a draft is known by the names of its files", () => {
  assert.deepEqual(rows("sparkle", complete, { feeds: ["tauri"] }), []);
  assert.equal(rows("tauri", complete, { feeds: ["tauri"] }).length, 4);
  const { percent: _percent, publishedAt: _publishedAt, ...release } = feedRelease("2.0.0", 20);
  const artifacts = release.artifacts.map(({ url: _url, ...artifact }) => artifact);
  const draft = { ...release, status: "draft" as const, artifacts };
  const coverage = findCoverage({ settings: FIXTURE_SETTINGS, releases: [] }, draft, ALL_FEEDS);
  assert.ok(
    coverage.rows.some(({ updater, result }) => updater === "electron" && result === "gets"),
  );
});

test("releases are compared, and named, as the app calls them", () => {
  const files = [feedArtifact("windows", "x64", "a.exe")];
  const beta = (version: string, build: number, appVersion: string) =>
    feedRelease(version, build, { artifacts: files, channel: "beta", appVersion });
  const candidate = beta("1.2.91", 12, "1.3.0-beta.10");
  const earlier = beta("1.2.90", 11, "1.3.0-beta.9");
  // By the contract's versions the stable one is the newest for testers, by the app's it is the oldest.
  const stable = feedRelease("1.2.95", 10, { artifacts: files });
  const releases = [candidate, earlier, stable];
  const find = (release: typeof candidate) => {
    const settings = FIXTURE_SETTINGS;
    const coverage = findCoverage({ settings, releases }, release, ALL_FEEDS);
    return {
      ...coverage,
      rows: coverage.rows.filter(({ updater }) => updater === "electron"),
    };
  };
  const { version, appVersion, rows: own } = find(candidate);
  assert.deepEqual([version, appVersion], ["1.2.91", "1.3.0-beta.10"]);
  assert.deepEqual(
    own.map((row) => [row.result, row.version, row.appVersion]),
    [["gets", "1.2.91", "1.3.0-beta.10"]],
  );
  const patch = { ...stable, version: "1.2.96", buildNumber: 13, channel: "beta" as const };
  assert.deepEqual(
    find(patch).rows.map((row) => [row.result, row.appVersion, row.reason]),
    [["stays", "1.3.0-beta.10", "1.3.0-beta.10 has the higher version"]],
  );
});
