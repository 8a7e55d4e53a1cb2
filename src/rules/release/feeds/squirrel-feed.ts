/** The update file of Squirrel.Mac, which Electron's own updater reads from any web server. */
import type { SquirrelArchitecture } from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import type { ReleaseChannel } from "../../../contract/release/values.ts";
import { appVersionOf } from "../app-version.ts";
import { feedArchitecture, hasExtension } from "./feed-file.ts";
import { notesToText } from "./feed-notes.ts";
import { offeredToEverybody, type FeedOffer, type FeedRelease } from "./feed-release.ts";

/** Null when no release has a file. */
export function squirrelMacFeed(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  architecture: SquirrelArchitecture,
): string | null {
  const offer = findSquirrelOffer(releases, channel, architecture);
  if (offer === null) return null;
  const { release, artifact } = offer;
  const version = appVersionOf(release);
  const updateTo = {
    version,
    pub_date: release.publishedAt,
    notes: notesToText(release),
    name: version,
    url: artifact.url,
  };
  return JSON.stringify({
    currentRelease: version,
    releases: [{ version, updateTo }],
  });
}

export function findSquirrelOffer(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  architecture: SquirrelArchitecture,
): FeedOffer | null {
  for (const release of offeredToEverybody(releases, channel)) {
    const artifact = squirrelFile(release.artifacts, architecture);
    if (artifact !== undefined) return { release, artifact };
  }
  return null;
}

/** A build for the machine goes before a universal one. */
export function squirrelFile(
  artifacts: readonly SourceArtifact[],
  architecture: SquirrelArchitecture,
): SourceArtifact | undefined {
  const archives = artifacts.filter(
    (artifact) => artifact.platform === "macos" && hasExtension(artifact, ".zip"),
  );
  return (
    archives.find((file) => feedArchitecture(file) === architecture) ??
    archives.find((file) => feedArchitecture(file) === "universal")
  );
}
