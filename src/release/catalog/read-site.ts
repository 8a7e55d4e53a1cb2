/** Reads `site.json` of a catalogue folder, and the pictures that it names. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SITE_FILE, SITE_FOLDER } from "../../rules/release/catalog-files.ts";
import {
  validateSite,
  type PictureContent,
  type SiteResult,
} from "../../rules/release/site/validate-site.ts";
import { isLink } from "./file-port.ts";
import { A_LINK, codeOf, parseJsonFile, unreadable, unusable } from "./read-folder.ts";

/** A maker need not have one. */
export function readSite(folder: string): SiteResult | { readonly kind: "absent" } {
  const file = readSmallFile(join(folder, SITE_FILE), MAX_SITE_FILE_BYTES);
  if (file === null) return { kind: "absent" };
  const content = file.kind === "bytes" ? parseJsonFile(file.bytes) : file;
  if (content.kind !== "json") {
    const { problem, remedy } = content;
    return { kind: "invalid", errors: [{ file: SITE_FILE, path: "", problem, remedy }] };
  }
  const pictures = join(folder, SITE_FOLDER);
  return validateSite(content.value, (name, maxBytes) =>
    isLink(pictures) ? A_LINK : (readSmallFile(join(pictures, name), maxBytes) ?? MISSING),
  );
}

const MAX_SITE_FILE_BYTES = 65_536;

const MISSING = unusable(
  "is missing",
  `put the picture into the folder "${SITE_FOLDER}" of the catalogue, or correct its name`,
);

/** Null when there is no such file. A link is not followed: it could publish any file of this machine. */
function readSmallFile(path: string, maxBytes: number): PictureContent | null {
  let descriptor: number | undefined;
  // Windows has no O_NOFOLLOW.
  if (isLink(path)) return A_LINK;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return unusable("is not a regular file", "replace it with a file");
    if (stats.size > maxBytes) {
      const sizes = `has ${formatKilobytes(stats.size)}, and at most ${formatKilobytes(maxBytes)}`;
      return unusable(`${sizes} are allowed`, "make it smaller");
    }
    return { kind: "bytes", bytes: readFileSync(descriptor) };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP") return A_LINK;
    return unreadable(code);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function formatKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000).toLocaleString("en")} KB`;
}
