/** `release verify`: a catalogue or a service may differ from a manifest that is genuine. */
import type { ManifestPayload } from "../../../contract/release/schemas.ts";
import { MAX_MANIFEST_BYTES, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { fetchServed, manifestUrl, REDEPLOY } from "../../../operate/served/fetch-served.ts";
import { readCatalog } from "../../../release/catalog/read-catalog.ts";
import { sha256OfText } from "../../../release/catalog/sha256-of-text.ts";
import { readReleaseArchive } from "../../../rules/release/archive-document.ts";
import { latestOf } from "../../../rules/release/catalog.ts";
import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { CommandError } from "../../command.ts";

export async function expectSignedCatalog(folder: string, now: number): Promise<void> {
  const read = await readCatalog(folder, now);
  if (read.kind === "loaded") return;
  throw new CommandError(
    [
      `The manifest is genuine, but the catalogue "${folder}" is not what was signed:`,
      ...read.errors.map(formatFileError),
    ],
    { errors: read.errors },
  );
}

/** Null when the source is no address of a service, whose other addresses would be known. */
function baseOf(source: string): string | null {
  const address = URL.canParse(source) ? manifestUrl(source).href : "";
  return /^(https?:\/\/[^?#]*)\/api\/v1\/manifest$/.exec(address)?.[1] ?? null;
}

/** Checks the releases that are too old for the manifest. */
export async function expectSignedArchive(source: string, payload: ManifestPayload): Promise<void> {
  const base = baseOf(source);
  const { archive, product } = payload;
  if (base === null || archive === undefined) return;
  const url = new URL(`${base}/feeds/archive/${archive.sha256}`);
  const served = await fetchServed(url, archive.size);
  if (served.kind !== "fetched") {
    throw new CommandError(`${url.href} ${served.problem}; ${served.remedy}`);
  }
  if (sha256OfText(served.text) !== archive.sha256) {
    throw new CommandError(`${url.href} is not the archive that was signed; ${REDEPLOY}`);
  }
  if (readReleaseArchive(served.text, product) !== null) return;
  throw new CommandError(`${url.href} was signed, and is no archive of this version of Trellis`);
}

/** Checks the files of the newest release of each channel, which is what updaters are offered. */
export async function expectSignedFeeds(source: string, payload: ManifestPayload): Promise<void> {
  const base = baseOf(source);
  if (base === null) return;
  const newest = new Set(
    RELEASE_CHANNELS.map((channel) => latestOf(payload.releases, channel)?.version),
  );
  for (const { version, sha256 } of payload.files ?? []) {
    if (!newest.has(version)) continue;
    const url = new URL(`${base}/feeds/files/${version}`);
    const served = await fetchServed(url, MAX_MANIFEST_BYTES);
    if (served.kind !== "fetched") {
      throw new CommandError(`${url.href} ${served.problem}; ${served.remedy}`);
    }
    if (sha256OfText(served.text) === sha256) continue;
    throw new CommandError(
      `${url.href} has other SHA-512 digests, signatures or names for the files of ${version} than were signed; ${REDEPLOY}`,
    );
  }
}
