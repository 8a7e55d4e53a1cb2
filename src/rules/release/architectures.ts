/** Names of architectures. Clients ask for one by its name, so two names for one thing hide an artifact. */

export const KNOWN_ARCHITECTURES = ["universal", "x64", "arm64", "x86", "armv7"] as const;

/** What build tools call them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["amd64", "x64"],
  ["x86_64", "x64"],
  ["x86-64", "x64"],
  ["win64", "x64"],
  ["64bit", "x64"],
  ["intel", "x64"],
  ["aarch64", "arm64"],
  ["arm64e", "arm64"],
  ["armv8", "arm64"],
  ["arm64-v8a", "arm64"],
  ["applesilicon", "arm64"],
  ["m1", "arm64"],
  ["i386", "x86"],
  ["i486", "x86"],
  ["i586", "x86"],
  ["i686", "x86"],
  ["ia32", "x86"],
  ["win32", "x86"],
  ["32bit", "x86"],
  ["arm", "armv7"],
  ["armhf", "armv7"],
  ["armv7l", "armv7"],
  ["armeabi-v7a", "armv7"],
  ["any", "universal"],
  ["all", "universal"],
  ["noarch", "universal"],
  ["fat", "universal"],
]);

export type ArchitectureCheck =
  | { readonly kind: "known" }
  | { readonly kind: "alias"; readonly usual: string }
  | { readonly kind: "unknown" };

export function checkArchitecture(name: string): ArchitectureCheck {
  const known = (text: string) => KNOWN_ARCHITECTURES.find((item) => item === text);
  if (known(name) !== undefined) return { kind: "known" };
  const lower = name.trim().toLowerCase();
  const usual = known(lower) ?? ALIASES.get(lower);
  return usual === undefined ? { kind: "unknown" } : { kind: "alias", usual };
}
