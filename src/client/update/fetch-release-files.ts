/** What a release publishes about its files for other updaters, checked against the signed digest. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ReleaseFiles } from "../../contract/release/catalog.ts";
import type { UpdateFacts } from "../../rules/release/evaluate-update.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { encodeUtf8 } from "../../rules/web-crypto.ts";
import { fetchText, type TransportError } from "./fetch-text.ts";
import type { UpdateSettings } from "./settings.ts";

/**
 * What reading the list of files of a release came to. `altered-files` means that the list is not the one
 * that was signed.
 */
export type ReleaseFilesResult =
  | { readonly kind: "files"; readonly files: ReleaseFiles["files"] }
  /** The manifest was signed before manifests covered the files. */
  | { readonly kind: "not-signed" }
  /** The address has other digests, signatures or names than were signed: an app uses none of them. */
  | {
      readonly kind: "altered-files";
      readonly version: string;
      readonly url: string;
      readonly expected: string;
      readonly found: string;
    }
  | { readonly kind: "no-files"; readonly error: TransportError };

/** A release of a hundred files makes about 100 KB. */
const MAX_FILES_BYTES = 1024 * 1024;

export async function fetchReleaseFiles(
  settings: UpdateSettings,
  { release: { version }, filesSha256 }: Pick<UpdateFacts, "release" | "filesSha256">,
  signal?: AbortSignal,
): Promise<ReleaseFilesResult> {
  if (filesSha256 === null) return { kind: "not-signed" };
  const url = `${settings.baseUrl}/feeds/files/${version}`;
  const { timeoutMs } = settings.limits;
  const request = { url, maxBytes: MAX_FILES_BYTES, timeoutMs, signal };
  const response = await fetchText(settings.fetch, request);
  if (response.kind !== "text") return { kind: "no-files", error: response };
  // The received bytes are hashed and not written again: what was signed is this text.
  const found = bytesToHex(sha256(encodeUtf8(response.text)));
  if (found !== filesSha256) {
    return { kind: "altered-files", version, url, expected: filesSha256, found };
  }
  // The maker signed exactly this text, so it has the form of the catalogue.
  const { files } = parseJson(response.text) as ReleaseFiles;
  return { kind: "files", files };
}
