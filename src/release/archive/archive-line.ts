/** One line of the archive: what a release publishes about its files, and the release, each in canonical text. */
import { hash } from "node:crypto";
import type {
  ArchiveEntry,
  PublishedSource,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import { canonicalJson } from "../../rules/canonical-json.ts";
import { appVersionOf } from "../../rules/release/app-version.ts";
import { platformsOf, toPublicRelease, type ArchiveLine } from "../../rules/release/catalog.ts";
import { feedPlaces } from "../../rules/release/feeds/feed-places.ts";
import { releaseFilesText } from "../../rules/release/release-files.ts";
import { sha256OfText } from "../catalog/sha256-of-text.ts";
import type { ReadBytes } from "./line-reader.ts";

const BEFORE_FILES = '{"files":';
const BEFORE_RELEASE = ',"release":';
const END = "}\n";

export function createArchiveLine(
  release: PublishedSource | WithdrawnSource,
  offset: number,
): { readonly text: string; readonly entry: ArchiveEntry } {
  const filesText = releaseFilesText(release);
  const releaseText = canonicalJson(toPublicRelease(release));
  const { version, buildNumber, channel, appVersion, publishedAt, artifacts } = release;
  const entry = {
    version,
    buildNumber,
    channel,
    ...(appVersion !== undefined && { appVersion }),
    publishedAt,
    ...(release.status === "withdrawn" && { withdrawal: release.withdrawal }),
    platforms: platformsOf(artifacts),
    places: feedPlaces(artifacts),
    offset,
    filesSha256: sha256OfText(filesText),
    filesLength: Buffer.byteLength(filesText),
    releaseLength: Buffer.byteLength(releaseText),
  };
  return { text: BEFORE_FILES + filesText + BEFORE_RELEASE + releaseText + END, entry };
}

/** The offset after the line. */
export function endOfLine({ offset, filesLength, releaseLength }: ArchiveEntry): number {
  return (
    offset + BEFORE_FILES.length + filesLength + BEFORE_RELEASE.length + releaseLength + END.length
  );
}

/** Null when the file does not have a line with what the entry says; the digest of its files is not compared. */
export function readArchiveLine(read: ReadBytes, entry: ArchiveEntry): ArchiveLine | null {
  const bytes = read(entry.offset, endOfLine(entry) - entry.offset);
  const filesAt = BEFORE_FILES.length;
  const filesEnd = filesAt + entry.filesLength;
  const releaseAt = filesEnd + BEFORE_RELEASE.length;
  const releaseEnd = releaseAt + entry.releaseLength;
  const filesText = bytes.subarray(filesAt, filesEnd);
  const releaseText = bytes.subarray(releaseAt, releaseEnd);
  const isLine =
    bytes.toString("latin1", 0, filesAt) === BEFORE_FILES &&
    bytes.toString("latin1", filesEnd, releaseAt) === BEFORE_RELEASE &&
    bytes.toString("latin1", releaseEnd) === END;
  return isLine && isTextOf(releaseText, entry) && isFilesTextOf(filesText, entry)
    ? { releaseText, filesText }
    : null;
}

export function hasSignedFiles({ filesText }: ArchiveLine, { filesSha256 }: ArchiveEntry): boolean {
  return hash("sha256", filesText) === filesSha256;
}

/**
 * Texts in quotation marks inside of JSON are escaped, so these members are found without parsing megabytes of
 * history. Canonical text has them between `artifacts`, which comes first, and the version, which comes last.
 */
function isTextOf(text: Buffer, entry: ArchiveEntry): boolean {
  const { buildNumber, channel, publishedAt, version } = entry;
  const numbers = `],"buildNumber":${buildNumber},"channel":"${channel}","mandatoryAfter":`;
  const end = `,"publishedAt":${JSON.stringify(publishedAt)},"status":"published","version":"${version}"}`;
  return startsWith(text, '{"artifacts":[') && endsWith(text, end) && text.includes(numbers);
}

function isFilesTextOf(text: Buffer, entry: ArchiveEntry): boolean {
  const { version, appVersion } = entry;
  const named = appVersion === undefined ? "" : `"appVersion":"${appVersionOf(entry)}",`;
  return startsWith(text, `{${named}"files":[`) && endsWith(text, `],"version":"${version}"}`);
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString("utf8", 0, Buffer.byteLength(text)) === text;
}

function endsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString("utf8", bytes.length - Buffer.byteLength(text)) === text;
}
