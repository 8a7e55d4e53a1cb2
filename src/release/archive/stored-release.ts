/** A release of the archive, as any other of the catalogue: its line is parsed when its content is asked for. */
import type {
  ArchiveEntry,
  PublishedSource,
  ReleaseFiles,
  WithdrawnSource,
} from "../../contract/release/catalog.ts";
import type { Release } from "../../contract/release/schemas.ts";
import type { ArchiveLine } from "../../rules/release/catalog.ts";

type StoredContent = Pick<
  PublishedSource,
  "minimumSupportedVersion" | "mandatoryAfter" | "notes" | "presentation" | "media" | "artifacts"
>;

export type ReadContent = (entry: ArchiveEntry) => StoredContent;

/** Remembers the last line alone: a long history takes several times its bytes once it is parsed. */
export function createContentReader(readLine: (entry: ArchiveEntry) => ArchiveLine): ReadContent {
  let last: { readonly entry: ArchiveEntry; readonly content: StoredContent } | undefined;
  return (entry) => {
    if (last?.entry !== entry) last = { entry, content: parseLine(readLine(entry)) };
    return last.content;
  };
}

/** The signed digests cover the bytes, and before they were signed the schema checked them. */
function parseLine({ releaseText, filesText }: ArchiveLine): StoredContent {
  const release = parseText(releaseText) as Release;
  return { ...release, artifacts: (parseText(filesText) as ReleaseFiles).files };
}

function parseText(bytes: Uint8Array<ArrayBuffer>): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
}

export function toStoredRelease(
  entry: ArchiveEntry,
  read: ReadContent,
): PublishedSource | WithdrawnSource {
  const { version, buildNumber, channel, appVersion, publishedAt, withdrawal } = entry;
  return {
    version,
    buildNumber,
    channel,
    ...(appVersion !== undefined && { appVersion }),
    ...(withdrawal === undefined ? { status: "published" } : { status: "withdrawn", withdrawal }),
    publishedAt,
    get minimumSupportedVersion() {
      return read(entry).minimumSupportedVersion;
    },
    get mandatoryAfter() {
      return read(entry).mandatoryAfter;
    },
    get notes() {
      return read(entry).notes;
    },
    get presentation() {
      return read(entry).presentation;
    },
    get media() {
      return read(entry).media;
    },
    get artifacts() {
      return read(entry).artifacts;
    },
  } as PublishedSource | WithdrawnSource;
}
