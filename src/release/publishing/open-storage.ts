import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createFolderStorage } from "./folder-storage.ts";
import type { ObjectStorage } from "../../backup/storage/object-storage.ts";
import { readS3Settings, type S3Options } from "../../backup/storage/s3-settings.ts";
import { createS3Storage } from "../../backup/storage/s3-storage.ts";

export type OpenStorageResult =
  | { readonly kind: "opened"; readonly storage: ObjectStorage }
  | { readonly kind: "invalid"; readonly message: string };

/** `s3://bucket/prefix`, or `file:` with the path of a folder. Nothing is asked yet. */
export function openObjectStorage(address: string, options: S3Options): OpenStorageResult {
  if (address.startsWith("file:")) {
    const folder = parseFolder(address);
    return folder === null
      ? { kind: "invalid", message: `"${address}" is not a folder: write file:/path/of/a/folder` }
      : { kind: "opened", storage: createFolderStorage(folder) };
  }
  if (!address.startsWith("s3://")) {
    const message = `"${address}" is not a storage: write s3://bucket/prefix, or file:/path/of/a/folder`;
    return { kind: "invalid", message };
  }
  const result = readS3Settings(address, options);
  return result.kind === "invalid"
    ? result
    : { kind: "opened", storage: createS3Storage(result.settings) };
}

/** A path after `file:`, perhaps a relative one, or a URL of this machine. */
function parseFolder(address: string): string | null {
  const path = address.slice("file:".length);
  if (!path.startsWith("//")) return path === "" ? null : resolve(path);
  return URL.parse(address)?.host === "" ? fileURLToPath(address) : null;
}
