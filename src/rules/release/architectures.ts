/** Names of architectures. Clients ask for one by its name, so two names for one thing hide an artifact. */

export const KNOWN_ARCHITECTURES = ["universal", "x64", "arm64", "x86", "armv7"] as const;

/** The names that build tools give to the known architectures. */
const ALIASES: Readonly<Record<(typeof KNOWN_ARCHITECTURES)[number], readonly string[]>> = {
  universal: ["any", "all", "noarch", "fat"],
  x64: ["amd64", "x86_64", "x86-64", "win64", "64bit", "intel"],
  arm64: ["aarch64", "arm64e", "armv8", "arm64-v8a", "applesilicon", "m1"],
  x86: ["i386", "i486", "i586", "i686", "ia32", "win32", "32bit"],
  armv7: ["arm", "armhf", "armv7l", "armeabi-v7a"],
};

export type ArchitectureCheck =
  | { readonly kind: "known" }
  | { readonly kind: "alias"; readonly usual: string }
  | { readonly kind: "unknown" };

export function checkArchitecture(name: string): ArchitectureCheck {
  if (KNOWN_ARCHITECTURES.some((known) => known === name)) return { kind: "known" };
  const lower = name.trim().toLowerCase();
  const usual = KNOWN_ARCHITECTURES.find(
    (known) => known === lower || ALIASES[known].includes(lower),
  );
  return usual === undefined ? { kind: "unknown" } : { kind: "alias", usual };
}

/** Words that also mean other things in the name of a file, such as `win32` in `win32-x64`. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  "any",
  "all",
  "fat",
  "intel",
  "m1",
  "win32",
  "noarch",
]);

const WORDS_IN_NAMES = new Map(
  KNOWN_ARCHITECTURES.flatMap((known) =>
    [known, ...ALIASES[known]]
      .filter((word) => !AMBIGUOUS.has(word))
      .map((word) => [word, known] as const),
  ),
);
/** The longest word first, because `x86_64` begins with `x86`. */
const IN_NAME = new RegExp(
  `(?<![a-z0-9])(?:${[...WORDS_IN_NAMES.keys()].toSorted((a, b) => b.length - a.length).join("|")})(?![a-z0-9])`,
  "gi",
);

/** The architecture that a file's name tells; undefined unless it is one alone. */
export function architectureInName(name: string): string | undefined {
  const words = [...name.matchAll(IN_NAME)].map(([word]) => word.toLowerCase());
  const found = new Set(words.map((word) => WORDS_IN_NAMES.get(word)));
  return found.size === 1 ? [...found][0] : undefined;
}
