/** Media types of built files, by the ending of their name. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["apk", "application/vnd.android.package-archive"],
  ["exe", "application/vnd.microsoft.portable-executable"],
  ["msi", "application/x-msi"],
  ["msix", "application/msix"],
  ["appinstaller", "application/appinstaller"],
  ["dmg", "application/x-apple-diskimage"],
  ["deb", "application/vnd.debian.binary-package"],
  ["rpm", "application/x-rpm"],
  ["appimage", "application/vnd.appimage"],
  ["flatpak", "application/vnd.flatpak"],
  ["snap", "application/vnd.snap"],
  ["zip", "application/zip"],
  ["gz", "application/gzip"],
  ["tgz", "application/gzip"],
  ["xz", "application/x-xz"],
  ["zst", "application/zstd"],
  ["bz2", "application/x-bzip2"],
  ["7z", "application/x-7z-compressed"],
  ["json", "application/json"],
  ["xml", "application/xml"],
]);

/** Unknown bytes are downloaded and never shown, which is right for a program. */
export function contentTypeOf(fileName: string): string {
  const ending = fileName.toLowerCase().split(".").at(-1) ?? "";
  return TYPES.get(ending) ?? "application/octet-stream";
}
