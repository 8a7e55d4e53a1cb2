/**
 * The files of electron-updater's generic provider. Its updaters choose a file by the extension and by
 * the name of an architecture anywhere in the address, and take the first file when no address names
 * theirs. So a file is only listed when that choice is right on every machine.
 */
import { ELECTRON_TARGETS, type ElectronTarget } from "../../../contract/release/feed-values.ts";
import type { SourceArtifact } from "../../../contract/release/catalog.ts";
import type { ReleaseChannel } from "../../../contract/release/values.ts";
import { isDirect } from "../choose-artifact.ts";
import { feedArchitecture, hasExtension, type FeedArchitecture } from "./feed-file.ts";
import { notesToText } from "./feed-notes.ts";
import {
  isForEverybody,
  newestVersionFirst,
  releasesOf,
  type FeedOffer,
  type FeedRelease,
} from "./feed-release.ts";
import { appVersionOf } from "../app-version.ts";
import { toYaml } from "./yaml.ts";

interface ElectronFiles {
  readonly platform: SourceArtifact["platform"];
  readonly extensions: readonly string[];
  /** The order of the list; the updater of a machine without a file of its own takes the first file. */
  readonly architectures: readonly FeedArchitecture[];
  /** The architectures of the first file, which must run on every machine that reads the list. */
  readonly first: readonly FeedArchitecture[];
}

/** Every list of Linux is for one architecture, so any of its files may be the first. */
function linuxFiles(...architectures: readonly FeedArchitecture[]): ElectronFiles {
  const extensions = [".appimage", ".deb", ".rpm", ".pacman"];
  return { platform: "linux", extensions, architectures, first: architectures };
}

const FILES: Readonly<Record<ElectronTarget, ElectronFiles>> = {
  windows: {
    platform: "windows",
    extensions: [".exe"],
    architectures: ["universal", "x64", "x86", "arm64"],
    first: ["universal", "x64", "x86"],
  },
  mac: {
    platform: "macos",
    extensions: [".zip"],
    architectures: ["universal", "x64", "arm64"],
    first: ["universal", "x64", "arm64"],
  },
  linux: linuxFiles("x64", "universal"),
  "linux-arm64": linuxFiles("arm64", "universal"),
  "linux-arm": linuxFiles("armv7"),
  "linux-ia32": linuxFiles("x86"),
};

/** Null when no release has a file for the target. */
export function electronFeed(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  target: ElectronTarget,
): string | null {
  const listed = findListed(releases, channel, target);
  return listed && toYaml(describeRelease(listed.release, listed.files));
}

function findListed(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  target: ElectronTarget,
) {
  for (const release of newestVersionFirst(releasesOf(releases, channel))) {
    const files = electronFiles(release.artifacts, target);
    if (files.length > 0) return { release, files };
  }
  return null;
}

/** The list that a machine reads; undefined when there is none for it. */
export function electronTarget(
  system: SourceArtifact["platform"],
  architecture: FeedArchitecture,
): ElectronTarget | undefined {
  const targets = Object.keys(ELECTRON_TARGETS) as ElectronTarget[];
  return targets.find(
    (target) =>
      FILES[target].platform === system && FILES[target].architectures.includes(architecture),
  );
}

/** The file that the updater of a machine takes from its list; on Linux only a package of its own kind. */
export function findElectronOffer(
  releases: readonly FeedRelease[],
  channel: ReleaseChannel,
  target: ElectronTarget,
  architecture: FeedArchitecture,
  kind: string | null,
): FeedOffer | null {
  const listed = findListed(releases, channel, target);
  if (listed === null) return null;
  const files = listed.files.filter((file) => kind === null || electronPackage(file) === kind);
  const isLinux = FILES[target].platform === "linux";
  const named = files.find(({ url }) => !isLinux && isNamedFor(url, architecture));
  const artifact = named ?? files[0];
  return artifact === undefined ? null : { release: listed.release, artifact };
}

/** The kind of package, such as `deb`; null outside Linux, where there is only one, and for other files. */
export function electronPackage(artifact: SourceArtifact): string | null {
  const { platform, extensions } = FILES.linux;
  if (artifact.platform !== platform) return null;
  const extension = extensions.find((ending) => hasExtension(artifact, ending));
  return extension?.slice(1) ?? null;
}

type ListedArtifact = SourceArtifact & { readonly sha512: string };

export function electronFiles(
  artifacts: readonly SourceArtifact[],
  target: ElectronTarget,
): ListedArtifact[] {
  const { architectures, first } = FILES[target];
  const listed = architectures.flatMap((architecture) =>
    artifacts.filter(
      (artifact): artifact is ListedArtifact =>
        feedArchitecture(artifact) === architecture &&
        explainElectronFile(artifact, target) === null,
    ),
  );
  const leading = listed[0] && feedArchitecture(listed[0]);
  return first.some((architecture) => architecture === leading) ? listed : [];
}

/** Why an artifact is not in the list: undefined when the list is not for it, null when it is there. */
export function explainElectronFile(
  artifact: SourceArtifact,
  target: ElectronTarget,
): string | null | undefined {
  const { platform, extensions, architectures } = FILES[target];
  const architecture = feedArchitecture(artifact);
  if (artifact.platform !== platform || !isDirect(artifact)) return undefined;
  if (architecture === undefined || !architectures.includes(architecture)) return undefined;
  if (!hasExtension(artifact, ...extensions)) return undefined;
  if (artifact.sha512 === undefined) return "it has no SHA-512; add it to a new release";
  return platform === "linux" ? null : explainName(artifact.url, architecture);
}

/** The names that Node gives to the architectures of `process.arch`. */
const NODE_NAMES = { arm64: "arm64", x86: "ia32", x64: "x64" } as const;
/** Addresses must name these, but not x64: its machines take the first file when none names theirs. */
const NAMED: ReadonlySet<FeedArchitecture> = new Set(["arm64", "x86"]);

const WORDS = Object.values(NODE_NAMES);

/** The words for architectures that an address contains. */
function namedArchitectures(url: string): string[] {
  return WORDS.filter((word) => url.includes(word));
}

function isNamedFor(url: string, architecture: FeedArchitecture): boolean {
  const names: Partial<Record<FeedArchitecture, string>> = NODE_NAMES;
  return namedArchitectures(url).includes(names[architecture] ?? "");
}

function explainName(url: string, architecture: FeedArchitecture): string | null {
  const named = namedArchitectures(url);
  for (const [name, word] of Object.entries(NODE_NAMES)) {
    const isNamed = named.includes(word);
    if (architecture === name && !isNamed && NAMED.has(architecture)) {
      return `its address must contain "${word}": electron-updater chooses by it`;
    }
    // A universal file runs wherever x64 does.
    const mayHave = architecture === name || (architecture === "universal" && name === "x64");
    if (isNamed && !mayHave) {
      return `its address contains "${word}", which electron-updater takes for its architecture`;
    }
  }
  return null;
}

function describeRelease(release: FeedRelease, files: readonly ListedArtifact[]) {
  const [first] = files;
  const notes = notesToText(release);
  const minimum = minimumSystemVersion(files);
  return {
    version: appVersionOf(release),
    files: files.map(({ url, sha512, size, blockMapSize }) => ({
      url,
      sha512,
      size,
      ...(blockMapSize !== undefined && { blockMapSize }),
    })),
    // Updaters before version 2 read only these two.
    path: first?.url ?? "",
    sha512: first?.sha512 ?? "",
    releaseDate: release.publishedAt,
    ...(notes !== "" && { releaseNotes: notes }),
    ...(!isForEverybody(release) && { stagingPercentage: release.percent }),
    ...(minimum !== null && { minimumSystemVersion: minimum }),
  };
}

/** A kernel version, compared by SemVer; the highest of all files, so each starts where it is offered. */
function minimumSystemVersion(files: readonly SourceArtifact[]): string | null {
  const versions = files.map(kernelVersion).filter((version) => version !== null);
  return versions.toSorted((a, b) => compareNumbers(b, a))[0]?.join(".") ?? null;
}

type KernelVersion = readonly [number, number, number];

function kernelVersion({ platform, minimumOs }: SourceArtifact): KernelVersion | null {
  if (minimumOs === undefined) return null;
  const [major = 0, minor = 0, build = 0] = minimumOs.split(".").map(Number);
  if (platform === "windows") return [major, minor, build];
  return platform === "macos" ? darwinVersion(major, minor) : null;
}

/** With 6 the kernels of these systems ended: macOS 12.7 is Darwin 21.6 too. */
const LAST_DARWIN_MINOR = 6;

/**
 * macOS 10.15 is Darwin 19, 11 to 15 are 20 to 24, and 26 is 25. Until 13 the kernel was one minor
 * version ahead: macOS 12.3 is Darwin 21.4.
 */
function darwinVersion(major: number, minor: number): KernelVersion {
  if (major === 10) return [minor + 4, 0, 0];
  if (major >= 26) return [major - 1, minor, 0];
  const ahead = major <= 13 && minor > 0 ? 1 : 0;
  return [major + 9, Math.min(minor + ahead, LAST_DARWIN_MINOR), 0];
}

function compareNumbers(a: KernelVersion, b: KernelVersion): number {
  const index = a.findIndex((number, at) => number !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}
