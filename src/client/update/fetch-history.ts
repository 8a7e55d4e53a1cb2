/** Every release that there was: those of the manifest, and those of the archive that it names. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ManifestArchive, Release } from "../../contract/release/schemas.ts";
import { readReleaseArchive } from "../../rules/release/archive-document.ts";
import { encodeUtf8 } from "../../rules/web-crypto.ts";
import { receiveVerified, type UpdateError, type UpdateNotice } from "./check-for-update.ts";
import { fetchText, type TransportError } from "./fetch-text.ts";
import type { UpdateSettings } from "./settings.ts";

type ArchiveResult =
  /** Newest build first, of both channels. */
  | { readonly kind: "history"; readonly releases: readonly Release[] }
  /** The address has another text than was signed: an app uses nothing of it. */
  | {
      readonly kind: "altered-archive";
      readonly url: string;
      readonly expected: string;
      readonly found: string;
    }
  /** It was signed, and a later version of this client can read it. */
  | { readonly kind: "unreadable-archive"; readonly url: string }
  | { readonly kind: "no-archive"; readonly error: TransportError };

/** What reading the history came to: every release that was signed, or why it cannot be confirmed. */
export type HistoryResult = (
  | ArchiveResult
  /** Nothing could be verified. */
  | { readonly kind: "cannot-confirm"; readonly error: UpdateError }
) & {
  /** As those of a check. */
  readonly notices: readonly UpdateNotice[];
};

export async function fetchHistory(
  settings: UpdateSettings,
  signal?: AbortSignal,
): Promise<HistoryResult> {
  const { found, notices } = await receiveVerified(settings, signal);
  if (found.kind !== "verified") return { kind: "cannot-confirm", error: found, notices };
  const { archive, releases } = found.payload;
  if (archive === undefined) return { kind: "history", releases, notices };
  const older = await fetchArchive(settings, archive, signal);
  return older.kind === "history"
    ? { ...older, releases: mergeNewestFirst(releases, older.releases), notices }
    : { ...older, notices };
}

async function fetchArchive(
  settings: UpdateSettings,
  archive: ManifestArchive,
  signal: AbortSignal | undefined,
): Promise<ArchiveResult> {
  const url = `${settings.baseUrl}/feeds/archive/${archive.sha256}`;
  const { timeoutMs, maxArchiveBytes } = settings.limits;
  const response = await fetchText(settings.fetch, {
    url,
    maxBytes: Math.min(archive.size, maxArchiveBytes),
    timeoutMs: timeoutMs + archive.size / BYTES_PER_MS,
    signal,
  });
  if (response.kind !== "text") return { kind: "no-archive", error: response };
  // The received bytes are hashed and not written again: what was signed is this text.
  const found = bytesToHex(sha256(encodeUtf8(response.text)));
  const expected = archive.sha256;
  if (found !== expected) return { kind: "altered-archive", url, expected, found };
  const read = readReleaseArchive(response.text, settings.product);
  return read === null
    ? { kind: "unreadable-archive", url }
    : { kind: "history", releases: read.releases };
}

/** A long archive may take longer than a manifest: 100 KB a second. */
const BYTES_PER_MS = 100;

/** The newest release of a quiet channel is in the manifest, however old it is. */
function mergeNewestFirst(newer: readonly Release[], older: readonly Release[]): Release[] {
  return [...newer, ...older].toSorted((a, b) => b.buildNumber - a.buildNumber);
}
