/** The archive of a manifest: the document of the releases that are too old for it, and what a client reads in it. */
import type { ReleaseArchive, WithdrawnRelease } from "../../contract/release/schemas.ts";
import { MANIFEST_SCHEMA_VERSION } from "../../contract/release/values.ts";
import { canonicalJson } from "../canonical-json.ts";
import { parseJson } from "../parse-json.ts";
import { isReleaseArchive } from "./manifest-payload.ts";

export interface ArchivedRelease {
  readonly version: string;
  /** The release as the API shows it, in canonical text (RFC 8785). */
  text(): string | Uint8Array;
  readonly filesSha256: string;
}

/** Newest build first. */
export interface ArchiveContent {
  readonly product: string;
  readonly releases: readonly ArchivedRelease[];
  readonly withdrawn: readonly WithdrawnRelease[];
}

/** The canonical text in parts, because a long history has tens of megabytes. */
export function* archiveParts({
  product,
  releases,
  withdrawn,
}: ArchiveContent): Generator<string | Uint8Array> {
  // RFC 8785 3.2.3: the members in the order of their names. Neither a digest nor a version has anything to escape.
  const files = releases.map(
    ({ version, filesSha256 }) => `{"sha256":"${filesSha256}","version":"${version}"}`,
  );
  yield `{"files":[${files.join(",")}],"product":${canonicalJson(product)},"releases":[`;
  let separator = "";
  for (const release of releases) {
    yield separator;
    yield release.text();
    separator = ",";
  }
  yield `],"schemaVersion":${MANIFEST_SCHEMA_VERSION},"withdrawn":${canonicalJson(withdrawn)}}`;
}

/** Null when this client cannot read the document, or it is of another product. */
export function readReleaseArchive(text: string, product: string): ReleaseArchive | null {
  const value = parseJson(text);
  return isReleaseArchive(value) && value.product === product ? value : null;
}
