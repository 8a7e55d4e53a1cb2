/** What an updater reads off the address of a file. */
import type { SourceArtifact } from "../../../contract/release/catalog.ts";

/** The architectures that the updaters have names for. */
export type FeedArchitecture = "x64" | "arm64" | "x86" | "armv7" | "universal";

const ARCHITECTURES: ReadonlyMap<string, FeedArchitecture> = new Map([
  ["x64", "x64"],
  ["x86_64", "x64"],
  ["amd64", "x64"],
  ["arm64", "arm64"],
  ["aarch64", "arm64"],
  ["x86", "x86"],
  ["ia32", "x86"],
  ["i386", "x86"],
  ["i686", "x86"],
  ["armv7", "armv7"],
  ["armv7l", "armv7"],
  ["armhf", "armv7"],
  ["universal", "universal"],
]);

/** Undefined for an architecture that no updater knows. */
export function feedArchitecture({
  architecture,
}: Pick<SourceArtifact, "architecture">): FeedArchitecture | undefined {
  return ARCHITECTURES.get(architecture.toLowerCase());
}

/** Whether a machine runs a file: Windows and macOS run those of some other architectures too. */
export function runsOn(file: SourceArtifact, machine: FeedArchitecture): boolean {
  const architecture = feedArchitecture(file);
  if (architecture === machine || architecture === "universal") return true;
  if (file.platform === "macos") return machine === "arm64" && architecture === "x64";
  if (file.platform !== "windows") return false;
  return machine === "arm64"
    ? architecture === "x64" || architecture === "x86"
    : machine === "x64" && architecture === "x86";
}

const PATH = /^https:\/\/[^/?#]*([^?#]*)/i;

/** The path of the address, as it was written. */
function urlPath({ url }: Pick<SourceArtifact, "url">): string {
  return PATH.exec(url)?.[1] ?? "";
}

/** Whether the name of the file ends with one of these extensions, such as `.exe`, in any case. */
export function hasExtension(artifact: SourceArtifact, ...extensions: readonly string[]): boolean {
  const path = urlPath(artifact).toLowerCase();
  return extensions.some((extension) => path.endsWith(extension));
}
