/** The kinds of package that an installed copy may be, told by the ending of a file's name. */
export const PACKAGE_KINDS = [
  "deb",
  "rpm",
  "appimage",
  "msi",
  "exe",
  "dmg",
  "zip",
  "tar.gz",
  "apk",
  "aab",
  "flatpak",
  "snap",
] as const;

/**
 * The kind of package that a copy was installed as, such as `deb`: it gets an update of the same kind alone.
 */
export type PackageKind = (typeof PACKAGE_KINDS)[number];

/** Null for a file of no kind, such as `habits.pkg`. */
export function packageKindOf(fileName: string): PackageKind | null {
  const lower = fileName.toLowerCase();
  return PACKAGE_KINDS.find((kind) => lower.endsWith(`.${kind}`)) ?? null;
}
