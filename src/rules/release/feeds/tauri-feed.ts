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
import { appVersionOf } from "../app-version.ts";
import { feedArchitecture, hasExtension, type FeedArchitecture } from "./feed-file.ts";
import { notesToText } from "./feed-notes.ts";
import { offeredToEverybody, type FeedOffer, type FeedRelease } from "./feed-release.ts";

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

/** The document for all platforms; null when no release has a signed file. */
export function tauriStaticFeed(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
): string | null {
  for (const release of offeredToEverybody(releases, channel)) {
    const platforms = tauriPlatforms(release.artifacts);
    if (platforms.size > 0) {
      const files = [...platforms].map(([key, artifact]) => [key, describeFile(artifact)]);
      return JSON.stringify({ ...describe(release), platforms: Object.fromEntries(files) });
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
  const offer = findTauriOffer(releases, channel, target, architecture, bundleType);
  if (offer === null) return null;
  const { release, artifact } = offer;
  const text = JSON.stringify({ ...describe(release), ...describeFile(artifact) });
  return { version: appVersionOf(release), text };
}

export function findTauriOffer(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  target: TauriTarget,
  architecture: TauriArchitecture,
  bundleType?: TauriBundleType,
): FeedOffer | null {
  const key = [target, architecture, bundleType ?? []].flat().join("-");
  for (const release of offeredToEverybody(releases, channel)) {
    const artifact = tauriPlatforms(release.artifacts).get(key);
    if (artifact !== undefined) return { release, artifact };
  }
  return null;
}

function describe(release: FeedRelease) {
  const notes = notesToText(release);
  return {
    version: appVersionOf(release),
    ...(notes !== "" && { notes }),
    pub_date: release.publishedAt,
  };
}

function describeFile({ url, signatures }: SourceArtifact) {
  return { url, signature: signatures?.minisign ?? "" };
}

/** Files by `os-arch-bundle`, and by `os-arch` for updaters that do not say what is installed. */
export function tauriPlatforms(artifacts: readonly SourceArtifact[]): Map<string, SourceArtifact> {
  const files = new Map<string, SourceArtifact>();
  for (const { artifact, place } of inOrder(artifacts)) {
    for (const architecture of place.architectures) {
      const key = `${place.target}-${architecture}`;
      for (const name of [key, `${key}-${place.bundleType}`]) {
        if (!files.has(name)) files.set(name, artifact);
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

/** The machine in Tauri's words; undefined when it has none for it. */
export function tauriMachine(system: SourceArtifact["platform"], architecture: FeedArchitecture) {
  const bundle = Object.values(BUNDLES).find(({ platform }) => platform === system);
  const [name] = ARCHITECTURES[architecture];
  return bundle && name && { target: bundle.target, architecture: name };
}

/** What a file is installed as; null when Tauri cannot install it. */
export function tauriBundleType(artifact: SourceArtifact): TauriBundleType | null {
  return placeOf(artifact)?.bundleType ?? null;
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
