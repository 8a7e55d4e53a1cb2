/** What the name of a built file tells. */
import type { ArtifactPlatform } from "../../contract/release/values.ts";

export interface NamedKind {
  readonly platform: ArtifactPlatform;
  /** Whether the content must show the same. */
  readonly isReadable: boolean;
}

const EXTENSIONS: Readonly<Partial<Record<ArtifactPlatform, readonly string[]>>> = {
  windows: [".exe", ".msi", ".msix", ".msixbundle", ".appx", ".nsis.zip", ".msi.zip"],
  macos: [".dmg", ".pkg", ".app.tar.gz"],
  linux: [".appimage", ".deb", ".rpm", ".snap", ".flatpak", ".pacman", ".appimage.tar.gz"],
  android: [".apk", ".aab"],
  ios: [".ipa"],
};
/** Formats that only their name tells. */
const UNREADABLE = [".pacman", ".msi.zip"];

/** Undefined for a name such as `habits.zip`, which may be for any platform. */
export function platformOfKind(name: string): NamedKind | undefined {
  const lower = name.toLowerCase();
  for (const [platform, endings] of Object.entries(EXTENSIONS)) {
    const ending = endings.find((end) => lower.endsWith(end));
    if (ending === undefined) continue;
    const isReadable = !UNREADABLE.some((end) => lower.endsWith(end));
    return { platform: platform as ArtifactPlatform, isReadable };
  }
  return undefined;
}

const PLATFORM_WORDS: Readonly<Partial<Record<ArtifactPlatform, RegExp>>> = {
  windows: /(?<![a-z])win(?:dows|32|64)?(?![a-z])/i,
  macos: /(?<![a-z])(?:mac(?:os)?|darwin|osx)(?![a-z])/i,
  linux: /(?<![a-z])linux(?![a-z])/i,
  android: /(?<![a-z])android(?![a-z])/i,
  ios: /(?<![a-z])ios(?![a-z])/i,
  web: /(?<![a-z])web(?![a-z])/i,
};

/** Undefined unless the name has the word of one platform alone. */
export function platformInName(name: string): ArtifactPlatform | undefined {
  const [found, ...others] = Object.entries(PLATFORM_WORDS).filter(([, word]) => word.test(name));
  return others.length === 0 ? (found?.[0] as ArtifactPlatform | undefined) : undefined;
}

const UPDATER_ONLY =
  /\.(?:app\.tar\.gz|appimage\.tar\.gz|nsis\.zip|msi\.zip|sig|minisig|blockmap)$/i;

/** Whether only an updater uses the file: people would not know how to install it. */
export function isForUpdaters(fileName: string): boolean {
  return UPDATER_ONLY.test(fileName);
}

/** Files that builders write beside what people install, and that no release has. */
const BESIDE =
  /(?:\.(?:ya?ml|json|txt|md|log|asc|sha(?:1|256|512)(?:sums?)?)|(?:^|[/.-])sha(?:256|512)sums?(?:\.\w+)?|^\.ds_store|^releases)$/i;

export function isBesideRelease(name: string): boolean {
  return BESIDE.test(name);
}
