/** The two forms of the update response of Tauri 2. */
import type { TauriArchitecture, TauriTarget } from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import type { ReleaseChannel } from "../../../contract/release/values.ts";
import { isDirect } from "../choose-artifact.ts";
import { appVersionOf } from "../app-version.ts";
import { feedArchitecture, hasExtension, type FeedArchitecture } from "./feed-file.ts";
import { notesToText } from "./feed-notes.ts";
import { offeredToEverybody, type FeedRelease } from "./feed-release.ts";

/** The first installer of a list is that of apps which do not say how they were installed. */
const INSTALLERS = {
  windows: {
    target: "windows",
    extensions: { nsis: [".exe", ".nsis.zip"], msi: [".msi", ".msi.zip"] },
  },
  macos: { target: "darwin", extensions: { app: [".tar.gz"] } },
  linux: {
    target: "linux",
    extensions: {
      appimage: [".appimage", ".appimage.tar.gz"],
      deb: [".deb"],
      rpm: [".rpm"],
    },
  },
} as const satisfies Record<
  string,
  { target: TauriTarget; extensions: Record<string, readonly string[]> }
>;

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

/** The document for one machine; null when no release has a signed file for it. */
export function tauriUpdate(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  target: TauriTarget,
  architecture: TauriArchitecture,
): TauriUpdateText | null {
  for (const release of offeredToEverybody(releases, channel)) {
    const file = tauriPlatforms(release.artifacts).get(`${target}-${architecture}`);
    if (file !== undefined) {
      return {
        version: appVersionOf(release),
        text: JSON.stringify({ ...describe(release), ...file }),
      };
    }
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

/** Files by `os-arch-installer`, and by `os-arch` for updaters that do not ask for an installer. */
export function tauriPlatforms(artifacts: readonly SourceArtifact[]): Map<string, TauriFile> {
  const files = new Map<string, TauriFile>();
  for (const { artifact, place } of inOrder(artifacts)) {
    const file = { url: artifact.url, signature: artifact.signatures?.minisign ?? "" };
    for (const architecture of place.architectures) {
      const key = `${place.target}-${architecture}`;
      for (const name of [key, `${key}-${place.installer}`]) {
        if (!files.has(name)) files.set(name, file);
      }
    }
  }
  return files;
}

/** The first file of a key counts: by installer, a build for one architecture before a universal one. */
function inOrder(artifacts: readonly SourceArtifact[]) {
  const order = Object.values(INSTALLERS).flatMap(({ extensions }) => Object.keys(extensions));
  const rank = ({ installer, architectures }: Place) =>
    order.indexOf(installer) * 2 + Number(architectures.length > 1);
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
  readonly installer: string;
  readonly architectures: readonly TauriArchitecture[];
}

function placeOf(artifact: SourceArtifact): Place | undefined {
  const { platform } = artifact;
  const architecture = feedArchitecture(artifact);
  if (architecture === undefined) return undefined;
  if (platform !== "windows" && platform !== "macos" && platform !== "linux") return undefined;
  const { target, extensions } = INSTALLERS[platform];
  const installer = Object.entries(extensions).find(([, endings]) =>
    hasExtension(artifact, ...endings),
  )?.[0];
  if (installer === undefined) return undefined;
  return { target, installer, architectures: ARCHITECTURES[architecture] };
}
