/** What of a release belongs where in a storage, so that it is found at the catalogue's addresses. */
import type { SourceRelease } from "../../contract/release/catalog.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { publishingError, type PublishingError } from "./change-catalog.ts";

export interface PlannedFile {
  /** The path of the address below the place that the storage is served at. */
  readonly key: string;
  readonly url: string;
  /** The names that the file may have on this machine. */
  readonly names: readonly string[];
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

export type UploadPlan =
  | { readonly kind: "planned"; readonly files: readonly PlannedFile[] }
  | PublishingError;

/** `servedAt` is the address of the storage's root; without it, the root of the host of all addresses. */
export function planUpload(release: SourceRelease, servedAt: URL | null): UploadPlan {
  const { version, artifacts, media = [] } = release;
  if (artifacts.length + media.length === 0) {
    return publishingError(
      `Release ${version} has no artifacts: add them with \`trellis release add-artifact\``,
    );
  }
  const problems = servedAt === null ? checkHosts([...artifacts, ...media]) : [];
  const filesByKey = new Map<string, PlannedFile>();
  for (const { fileName, url, size, sha256, ...rest } of [...artifacts, ...media]) {
    if (url === undefined || size === undefined || sha256 === undefined) {
      problems.push(`"${fileName}" has no address or digest yet`);
      continue;
    }
    const key = keyOf(new URL(url), servedAt);
    if (key === null) {
      problems.push(explainAddress(url, servedAt));
      continue;
    }
    const other = filesByKey.get(key);
    if (other !== undefined && other.sha256 !== sha256) {
      problems.push(`${other.url} and ${url} would be the same object, with different content`);
    }
    const name = key.split("/").at(-1) ?? "";
    const contentType = "mimeType" in rest ? rest.mimeType : contentTypeOf(name);
    const cacheControl = chooseCacheControl(key, [version, appVersionOf(release)]);
    const names = [name, fileName];
    filesByKey.set(key, { key, url, names, size, sha256, contentType, cacheControl });
  }
  return problems.length > 0
    ? publishingError(`Release ${version} cannot be uploaded`, [], problems)
    : { kind: "planned", files: [...filesByKey.values()] };
}

/** Files of several hosts would all be in one storage, and be missing at the others. */
function checkHosts(files: readonly { readonly url?: string }[]): string[] {
  const hosts = new Set(files.flatMap(({ url }) => (url === undefined ? [] : new URL(url).host)));
  return hosts.size < 2
    ? []
    : [
        `The addresses are of several hosts (${[...hosts].join(", ")}), but a storage is served at one: name it with --served-at, or correct the addresses`,
      ];
}

/** Null when the address is not below the place, or could lead out of a folder. */
function keyOf(url: URL, servedAt: URL | null): string | null {
  const base = servedAt === null ? "/" : `${servedAt.pathname.replace(/(?<!\/)\/+$/, "")}/`;
  if (servedAt !== null && servedAt.origin !== url.origin) return null;
  if (!url.pathname.startsWith(base)) return null;
  const parts = url.pathname.slice(base.length).split("/").map(decodePart);
  return parts.every(isSafePart) ? parts.join("/") : null;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function isSafePart(part: string): boolean {
  return part !== "" && part !== "." && part !== ".." && !/[/\\\p{Cc}]/u.test(part);
}

function explainAddress(url: string, servedAt: URL | null): string {
  return servedAt === null
    ? `${url} has no path that can be a key: correct the address`
    : `${url} is not below ${servedAt.href}: correct --served-at, or upload the other files by naming them`;
}

/** A file at an address with its version never changes; another one may be replaced by the next release. */
function chooseCacheControl(key: string, versions: readonly string[]): string {
  return versions.some((version) => key.includes(version))
    ? "public, max-age=31536000, immutable"
    : "no-cache";
}

/** Media types of built files, by the ending of their name. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
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
  return MEDIA_TYPES.get(ending) ?? "application/octet-stream";
}
