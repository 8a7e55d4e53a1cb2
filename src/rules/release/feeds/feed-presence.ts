/** Tells where the feeds of other updaters have a release, and why it is missing where they do not. */
import {
  ELECTRON_TARGETS,
  FEEDS,
  type ElectronTarget,
  type Feed,
  type FeedSettings,
} from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import { RELEASE_CHANNELS, type ReleaseChannel } from "../../../contract/release/values.ts";
import { isPublished, latestOf, type Catalog } from "../catalog.ts";
import {
  appcastFiles,
  explainAppcastFile,
  offeredAppcastFiles,
  type AppcastFile,
} from "./appcast.ts";
import { electronPackages, explainElectronFile } from "./electron-feed.ts";
import { feedArchitecture } from "./feed-file.ts";
import { FEED_PLACES } from "./feed-places.ts";
import { isForEverybody, type FeedRelease } from "./feed-release.ts";
import { selectFeedReleases } from "./select-feed-releases.ts";
import { explainTauriFile } from "./tauri-feed.ts";

export interface FeedPresence {
  readonly version: string;
  readonly channel: ReleaseChannel;
  readonly feed: Feed;
  /** The systems that the feed offers the release to. */
  readonly offeredTo: readonly string[];
  readonly missing: readonly MissingFile[];
  /** Why no system is offered the release; null when some are. */
  readonly reason: string | null;
}

export interface MissingFile {
  readonly fileName: string;
  readonly reason: string;
}

/** Tells where the feeds have the newest release of each channel. */
export function findFeedPresence(
  { settings, releases }: Pick<Catalog, "settings" | "releases">,
  feeds: FeedSettings,
): FeedPresence[] {
  const published = selectFeedReleases(releases.filter(isPublished), settings.rollouts ?? []);
  const newest = RELEASE_CHANNELS.flatMap((channel) => latestOf(published, channel) ?? []);
  return newest.flatMap((release) => {
    const earlier = published.filter(
      (other) => other.channel === release.channel && other !== release,
    );
    return FEEDS.filter((feed) => feeds[feed]).map((feed) => describeFeed(release, earlier, feed));
  });
}

/** What a maker who uses the feed should know: some files, but not all, are in it. */
export function isIncomplete(
  { feed, offeredTo, missing }: FeedPresence,
  { updaterKeys }: Catalog["settings"],
): boolean {
  const hasKey =
    (feed === "tauri" && updaterKeys?.minisign !== undefined) ||
    (feed === "sparkle" && updaterKeys?.sparkle !== undefined);
  return missing.length > 0 && (offeredTo.length > 0 || hasKey);
}

export function formatFeedPresence({ feed, offeredTo, missing, reason }: FeedPresence): string {
  const reasons = Map.groupBy(missing, (file) => file.reason);
  const without = [...reasons].map(
    ([why, files]) => `without ${files.map(({ fileName }) => fileName).join(", ")}: ${why}`,
  );
  const offered = reason === null ? offeredTo.join(", ") : `none, ${reason}`;
  return `${feed}: ${[offered, ...without].join("; ")}`;
}

interface FeedFiles {
  readonly offeredTo: readonly string[];
  readonly missing: readonly MissingFile[];
}

type Earlier = readonly FeedRelease[];

const FILES: Readonly<Record<Feed, (release: FeedRelease, earlier: Earlier) => FeedFiles>> = {
  electron: describeElectron,
  tauri: ({ artifacts }) => ({
    offeredTo: FEED_PLACES.tauri(artifacts).filter((key) => key.split("-").length === 2),
    missing: explainEach(artifacts, explainTauriFile),
  }),
  sparkle: describeSparkle,
  squirrel: ({ artifacts }) => ({ offeredTo: FEED_PLACES.squirrel(artifacts), missing: [] }),
};

const INSTALLED_FILES: Readonly<Record<Feed, string>> = {
  electron: ".exe on Windows, .zip on macOS, .AppImage, .deb, .rpm and .pacman on Linux",
  tauri: ".exe and .msi on Windows, .app.tar.gz on macOS, .AppImage, .deb and .rpm on Linux",
  sparkle: "disk images, archives and installers",
  squirrel: ".zip on macOS",
};

function describeFeed(release: FeedRelease, earlier: Earlier, feed: Feed): FeedPresence {
  const { version, channel } = release;
  const { offeredTo, missing } = FILES[feed](release, earlier);
  const rollout = explainRollout(release, feed);
  const noFile =
    offeredTo.length > 0
      ? null
      : missing.length > 0
        ? "no file can be checked"
        : `no file that it installs (${INSTALLED_FILES[feed]})`;
  const reason = rollout ?? noFile;
  return { version, channel, feed, offeredTo: reason === null ? offeredTo : [], missing, reason };
}

function explainRollout(release: FeedRelease, feed: Feed): string | null {
  if (isForEverybody(release)) return null;
  if (release.percent === 0) return "its rollout is stopped";
  const canStage =
    feed === "electron" || (feed === "sparkle" && offeredAppcastFiles(release).length > 0);
  return canStage
    ? null
    : `it is out for ${release.percent} percent, and the format has no word for that`;
}

function describeSparkle(release: FeedRelease): FeedFiles {
  const { artifacts } = release;
  const offered = offeredAppcastFiles(release);
  return {
    offeredTo: offered.map(({ os }) => os),
    missing: [
      ...explainEach(artifacts, explainAppcastFile),
      ...explainEach(artifacts, (artifact) => explainWaiting(artifact, release)),
      ...explainEach(artifacts, (artifact) => explainOtherMac(artifact, artifacts)),
    ],
  };
}

/** Explains a file that is left out until the release is out for everybody. */
function explainWaiting(artifact: SourceArtifact, release: FeedRelease): string | null {
  if (explainRollout(release, "sparkle") !== null) return null;
  const isIn = ({ artifact: file }: AppcastFile) => file === artifact;
  return appcastFiles(release.artifacts).some(isIn) && !offeredAppcastFiles(release).some(isIn)
    ? `only Sparkle on macOS can be offered it at ${release.percent} percent`
    : null;
}

/** Explains a signed file for Macs that are offered one for another architecture instead. */
function explainOtherMac(
  artifact: SourceArtifact,
  artifacts: readonly SourceArtifact[],
): string | null {
  const chosen = appcastFiles(artifacts).find(({ os }) => os === "macos")?.artifact;
  if (chosen === undefined || artifact.platform !== "macos") return null;
  const architecture = feedArchitecture(chosen);
  const isLost =
    explainAppcastFile(artifact) === null &&
    architecture !== "universal" &&
    feedArchitecture(artifact) !== architecture;
  return isLost
    ? `Sparkle offers the ${architecture} file to every Mac; build a universal one`
    : null;
}

function explainEach(
  artifacts: readonly SourceArtifact[],
  explain: (artifact: SourceArtifact) => string | null | undefined,
): MissingFile[] {
  return artifacts.flatMap((artifact) => {
    const reason = explain(artifact);
    return typeof reason === "string" ? [{ fileName: artifact.fileName, reason }] : [];
  });
}

function describeElectron({ artifacts }: FeedRelease, earlier: Earlier): FeedFiles {
  const targets = Object.keys(ELECTRON_TARGETS) as ElectronTarget[];
  const offeredTo = FEED_PLACES.electron(artifacts);
  const missing = targets.flatMap((target) =>
    explainEach(artifacts, (artifact) => {
      const reason = explainElectronFile(artifact, target);
      const isAlone = reason === null && !offeredTo.includes(target);
      return isAlone ? "machines without a file of their own would install it; add x64" : reason;
    }),
  );
  const lost = offeredTo.flatMap((target) => findLostPackages(artifacts, earlier, target));
  return { offeredTo, missing: [...missing, ...lost] };
}

/** Finds kinds of packages that people have installed, and that the release has none of. */
function findLostPackages(
  artifacts: readonly SourceArtifact[],
  earlier: Earlier,
  target: ElectronTarget,
): MissingFile[] {
  const present = electronPackages(artifacts, target);
  const had = new Set(earlier.flatMap((release) => electronPackages(release.artifacts, target)));
  return [...had]
    .filter((kind) => !present.includes(kind))
    .map((kind) => ({
      fileName: `${kind} for ${target}`,
      reason: "an earlier release had one, and installations of it find no update",
    }));
}
