/** The two forms of the update response of Tauri 2. */
import {
  TAURI_BUNDLE_TYPES,
  type TauriArchitecture,
  type TauriBundleType,
  type TauriTarget,
} from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import type { ReleaseChannel } from "../../../contract/release/values.ts";
import { isDirect } from "../choose-artifact.ts";
import { compareVersions } from "../version.ts";
import { feedArchitecture, hasExtension, type FeedArchitecture } from "./feed-file.ts";
import { notesToText } from "./feed-notes.ts";
import { offeredToEverybody, type FeedRelease } from "./feed-release.ts";

interface BundleFiles {
  readonly platform: SourceArtifact["platform"];
  readonly target: TauriTarget;
  readonly extensions: readonly string[];
}

const BUNDLES: Readonly<Record<TauriBundleType, BundleFiles>> = {
  nsis: { platform: "windows", target: "windows", extensions: [".exe", ".nsis.zip"] },
  msi: { platform: "windows", target: "windows", extensions: [".msi", ".msi.zip"] },
  app: { platform: "macos", target: "darwin", extensions: [".tar.gz"] },
  appimage: {
    platform: "linux",
    target: "linux",
    extensions: [".appimage", ".appimage.tar.gz"],
  },
  deb: { platform: "linux", target: "linux", extensions: [".deb"] },
  rpm: { platform: "linux", target: "linux", extensions: [".rpm"] },
};

const ARCHITECTURES: Readonly<Record<FeedArchitecture, readonly TauriArchitecture[]>> = {
  x64: ["x86_64"],
  arm64: ["aarch64"],
  x86: ["i686"],
  armv7: ["armv7"],
  universal: ["x86_64", "aarch64"],
};

export interface TauriFile {
  readonly url: string;
  readonly signature: string;
}

/** The document for all platforms; null when no release has a signed file. */
export function tauriStaticFeed(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
): string | null {
  for (const release of offeredToEverybody(releases, channel)) {
    const platforms = tauriPlatforms(release.artifacts);
    if (platforms.size > 0) {
      return JSON.stringify({ ...describe(release), platforms: Object.fromEntries(platforms) });
    }
  }
  return null;
}

export interface TauriUpdateText {
  readonly version: string;
  readonly text: string;
}

/** The document for one machine, or one kind of installation on it; null when no release has a signed file. */
export function tauriUpdate(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  target: TauriTarget,
  architecture: TauriArchitecture,
  bundleType?: TauriBundleType,
): TauriUpdateText | null {
  const key = [target, architecture, bundleType ?? []].flat().join("-");
  for (const release of offeredToEverybody(releases, channel)) {
    const file = tauriPlatforms(release.artifacts).get(key);
    if (file !== undefined) {
      return { version: release.version, text: JSON.stringify({ ...describe(release), ...file }) };
    }
  }
  return null;
}

/** SemVer 11: a pre-release of a version is older than it, and build metadata does not count. */
export function isOlderVersion(current: string, version: string): boolean {
  const [core = "", ...preRelease] = (current.split("+")[0] ?? "").split("-");
  const order = compareVersions(core, version);
  return order < 0 || (order === 0 && preRelease.length > 0);
}

function describe(release: FeedRelease) {
  const notes = notesToText(release);
  return {
    version: release.version,
    ...(notes !== "" && { notes }),
    pub_date: release.publishedAt,
  };
}

/** Files by `os-arch-bundle`, and by `os-arch` for updaters that do not say what is installed. */
export function tauriPlatforms(artifacts: readonly SourceArtifact[]): Map<string, TauriFile> {
  const files = new Map<string, TauriFile>();
  for (const { artifact, place } of inOrder(artifacts)) {
    const file = { url: artifact.url, signature: artifact.signatures?.minisign ?? "" };
    for (const architecture of place.architectures) {
      const key = `${place.target}-${architecture}`;
      for (const name of [key, `${key}-${place.bundleType}`]) {
        if (!files.has(name)) files.set(name, file);
      }
    }
  }
  return files;
}

/** The first file of a key counts: by bundle type, a build for one architecture before a universal one. */
function inOrder(artifacts: readonly SourceArtifact[]) {
  const rank = ({ bundleType, architectures }: Place) =>
    TAURI_BUNDLE_TYPES.indexOf(bundleType) * 2 + Number(architectures.length > 1);
  return artifacts
    .flatMap((artifact) => {
      const place = explainTauriFile(artifact) === null ? placeOf(artifact) : undefined;
      return place === undefined ? [] : [{ artifact, place }];
    })
    .toSorted((a, b) => rank(a.place) - rank(b.place));
}

/** Why an artifact is not in the feed: undefined when Tauri cannot install it, null when it is there. */
export function explainTauriFile(artifact: SourceArtifact): string | null | undefined {
  if (placeOf(artifact) === undefined || !isDirect(artifact)) return undefined;
  return artifact.signatures?.minisign === undefined
    ? "it has no minisign signature; add it with --minisign or --signature-file"
    : null;
}

interface Place {
  readonly target: TauriTarget;
  readonly bundleType: TauriBundleType;
  readonly architectures: readonly TauriArchitecture[];
}

function placeOf(artifact: SourceArtifact): Place | undefined {
  const architecture = feedArchitecture(artifact);
  const bundleType = TAURI_BUNDLE_TYPES.find((type) => {
    const { platform, extensions } = BUNDLES[type];
    return artifact.platform === platform && hasExtension(artifact, ...extensions);
  });
  if (architecture === undefined || bundleType === undefined) return undefined;
  const { target } = BUNDLES[bundleType];
  return { target, bundleType, architectures: ARCHITECTURES[architecture] };
}
