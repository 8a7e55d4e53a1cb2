/** What visitors call the processors and systems that a file is for. */
import type { SourceArtifact } from "../../contract/release/catalog.ts";
import type { Language } from "../../contract/language.ts";
import type { ArtifactPlatform } from "../../contract/release/values.ts";

const ARCHITECTURES = ["universal", "x64", "x86", "arm64", "arm"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

// What builders write for the same processor.
const ALIASES: ReadonlyMap<string, Architecture> = new Map<string, Architecture>([
  ...ARCHITECTURES.map((name) => [name, name] as const),
  ["amd64", "x64"],
  ["x86_64", "x64"],
  ["x86-64", "x64"],
  ["i386", "x86"],
  ["i686", "x86"],
  ["ia32", "x86"],
  ["aarch64", "arm64"],
  ["arm64-v8a", "arm64"],
  ["armeabi-v7a", "arm"],
  ["armhf", "arm"],
  ["armv7", "arm"],
  ["armv7l", "arm"],
]);

type Names = Readonly<Record<Architecture, string>>;

const en: Names = {
  universal: "all processors",
  x64: "64-bit Intel and AMD",
  x86: "32-bit Intel and AMD",
  arm64: "64-bit ARM",
  arm: "32-bit ARM",
};
const de: Names = {
  universal: "alle Prozessoren",
  x64: "Intel und AMD, 64 Bit",
  x86: "Intel und AMD, 32 Bit",
  arm64: "ARM, 64 Bit",
  arm: "ARM, 32 Bit",
};

type PlatformNames = Readonly<Partial<Record<ArtifactPlatform, Names>>>;

const NAMES: Readonly<Record<Language, PlatformNames & { readonly other: Names }>> = {
  en: {
    other: en,
    macos: { ...en, universal: "Apple silicon and Intel", arm64: "Apple silicon", x64: "Intel" },
    android: { ...en, universal: "all devices" },
    ios: { ...en, universal: "iPhone and iPad" },
    web: { ...en, universal: "any browser" },
  },
  de: {
    other: de,
    macos: { ...de, universal: "Apple Silicon und Intel", arm64: "Apple Silicon", x64: "Intel" },
    android: { ...de, universal: "alle Geräte" },
    ios: { ...de, universal: "iPhone und iPad" },
    web: { ...de, universal: "jeder Browser" },
  },
};

type Target = Pick<SourceArtifact, "platform" | "architecture">;

/** What the script of the page compares; an unknown architecture has no processor. */
export function processorOf({ architecture }: Pick<Target, "architecture">): Architecture | null {
  return ALIASES.get(architecture.toLowerCase()) ?? null;
}

/** An unknown architecture is shown as the maker wrote it. */
export function architectureName(target: Target, language: Language): string {
  const { platform, architecture } = target;
  const known = processorOf(target);
  if (known === null) return architecture;
  return (NAMES[language][platform] ?? NAMES[language].other)[known];
}

/** Names a system such as "macOS 12"; null when the maker gave no version. */
export function minimumSystem(
  { platform, minimumOs }: Pick<SourceArtifact, "platform" | "minimumOs">,
  language: Language,
): string | null {
  if (minimumOs === undefined) return null;
  const numbers = minimumOs.split(".");
  const last = numbers.findLastIndex((number, index) => index === 0 || !/^0+$/.test(number));
  const version = numbers.slice(0, last + 1).join(".");
  switch (platform) {
    case "windows":
      return windowsName(minimumOs, language);
    case "macos":
      return `macOS ${version}`;
    case "android":
      return `Android ${version}`;
    case "ios":
      return `iOS ${version}`;
    case "linux":
      return language === "de" ? `Linux-Kernel ${version}` : `Linux kernel ${version}`;
    case "web":
      return null;
  }
}

const FIRST_BUILD_OF_WINDOWS_11 = 22_000;
const WINDOWS_6: Readonly<Record<number, string>> = { 1: "7", 2: "8", 3: "8.1" };

/** Windows 11 still calls itself 10.0 and differs by its build alone. */
function windowsName(minimumOs: string, language: Language): string {
  const [major = 0, minor = 0, build = 0] = minimumOs.split(".").map(Number);
  if (major === 6 && WINDOWS_6[minor] !== undefined) return `Windows ${WINDOWS_6[minor]}`;
  if (major !== 10) return `Windows ${major}`;
  if (build === 0) return "Windows 10";
  if (build === FIRST_BUILD_OF_WINDOWS_11) return "Windows 11";
  const name = build > FIRST_BUILD_OF_WINDOWS_11 ? "Windows 11" : "Windows 10";
  return language === "de" ? `${name} (Build ${build})` : `${name} (build ${build})`;
}
