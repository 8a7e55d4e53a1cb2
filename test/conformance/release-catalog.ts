/** A catalogue with which no release case is skipped. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReleaseInput } from "../../conformance/release/input.ts";
import type { PublishedSource, SourceRelease } from "../../src/contract/release/catalog.ts";
import { nodeFiles } from "../../src/release/catalog/file-port.ts";
import { commitChange } from "../../src/release/catalog/journal.ts";
import { signManifest } from "../../src/release/publishing/sign-manifest.ts";
import { createCatalogFixture, type CatalogFixture } from "../fixtures/catalog.ts";

const PUBLISHED = 47;
/** The newest stable release. */
export const STAGED = "1.4.7";
/** The one before it, which the signed manifest names as long as the newest is not out for everybody. */
export const STOPPED = "1.4.6";
/** An older stable release that is out for everybody, and mandatory. */
const CRITICAL_BUILD = 43;
const DAY = 86_400_000;

export interface ConformanceCatalog {
  readonly fixture: CatalogFixture;
  /** The members of the input that describe the catalogue. */
  readonly known: Required<Pick<ReleaseInput, "keys" | "product" | "fixtures">>;
}

export async function createConformanceCatalog(now = Date.now()): Promise<ConformanceCatalog> {
  const fixture = await createCatalogFixture({
    releases: PUBLISHED,
    drafts: 2,
    signed: false,
    forUpdaters: true,
    now,
    settings: {
      rollouts: [
        { version: STAGED, percent: 25 },
        { version: STOPPED, percent: 0 },
      ],
    },
  });
  const { folder, settings, keys, privateKey } = fixture;
  const newest = { stable: newestOf(fixture, "stable"), beta: newestOf(fixture, "beta") };
  const critical = publishedBuild(fixture, CRITICAL_BUILD);
  const changed = new Map<string, SourceRelease>([
    [critical.version, { ...critical, mandatoryAfter: new Date(now - DAY / 2).toISOString() }],
    [newest.stable.version, prepareStable(newest.stable, now)],
    [newest.beta.version, prepareBeta(newest.beta, now)],
  ]);
  for (const build of [45, 17]) {
    const release = publishedBuild(fixture, build);
    const withdrawal = { at: new Date(now).toISOString(), reason: "Loses reminders" };
    changed.set(release.version, { ...release, status: "withdrawn", withdrawal });
  }
  for (const [version, release] of changed) {
    await writeFile(join(folder, "releases", `${version}.json`), JSON.stringify(release));
  }
  const releases = fixture.releases.map((item) => changed.get(item.version) ?? item);
  const key = { keyId: settings.signing.active, privateKey };
  const { changes } = signManifest({ settings, keys, releases }, null, key, now);
  commitChange(folder, changes, nodeFiles);
  const versionsOf = (status: SourceRelease["status"]) =>
    releases.filter((item) => item.status === status).map(({ version }) => version);
  return {
    fixture,
    known: {
      keys,
      product: settings.product,
      fixtures: {
        stable: { version: newest.stable.version, buildNumber: newest.stable.buildNumber },
        beta: { version: newest.beta.version, buildNumber: newest.beta.buildNumber },
        drafts: versionsOf("draft"),
        withdrawn: versionsOf("withdrawn"),
      },
    },
  };
}

function publishedBuild({ releases }: CatalogFixture, build: number): PublishedSource {
  const release = releases.find((item) => item.buildNumber === build);
  if (release?.status !== "published") throw new Error(`Build ${build} is not published`);
  return release;
}

function newestOf(fixture: CatalogFixture, channel: "stable" | "beta"): PublishedSource {
  for (const release of fixture.releases) {
    if (release.status === "published" && release.channel === channel) return release;
  }
  throw new Error(`The fixture has no ${channel} release`);
}

/** A deadline that has passed, and artifacts of every kind. */
function prepareStable(release: PublishedSource, now: number): PublishedSource {
  const linux = release.artifacts.find(({ platform }) => platform === "linux");
  if (linux === undefined) throw new Error("The fixture has no linux artifact");
  const fileName = (suffix: string) => `habits-${release.version}-${suffix}`;
  const machine = (architecture: string) => ({
    ...linux,
    architecture,
    fileName: fileName(`linux-${architecture}.AppImage`),
    url: linux.url.replace("x64", architecture),
  });
  return {
    ...release,
    mandatoryAfter: new Date(now - DAY / 2).toISOString(),
    artifacts: [
      ...release.artifacts,
      { ...linux, architecture: "arm64 v8/hf", fileName: fileName("linux-arm64.AppImage") },
      machine("armv7"),
      machine("x86"),
      { ...linux, platform: "ios", architecture: "universal", fileName: fileName("ios.ipa") },
      { ...linux, platform: "web", architecture: "universal", fileName: fileName("web.zip") },
    ],
  };
}

/** A deadline that lies ahead, a platform without an artifact, and a name that is no contract version. */
function prepareBeta(release: PublishedSource, now: number): PublishedSource {
  return {
    ...release,
    appVersion: "1.5.0-beta.3",
    mandatoryAfter: new Date(now + 30 * DAY).toISOString(),
    artifacts: release.artifacts.filter(({ platform }) => platform !== "macos"),
  };
}
