/** The archives of the current manifest and of the one before, which a client may still hold. */
import { CACHE } from "../../contract/release/routes.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { negotiatedLongJson, type NegotiatedResponse } from "../../http/negotiated-response.ts";
import type { ArchiveContent } from "../../rules/release/archive-document.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import {
  archiveBytes,
  currentArchive,
  previousArchive,
  summariseArchive,
} from "../archive/archive-content.ts";

type ArchiveResponse = NegotiatedResponse | undefined;

export interface ArchiveResponses {
  /** The digests of the archives that are served. */
  readonly digests: readonly string[];
  /** A promise only until the archive has been made. */
  find(sha256: string): ArchiveResponse | Promise<ArchiveResponse>;
}

export const NO_ARCHIVES: ArchiveResponses = { digests: [], find: () => undefined };

/** A document of megabytes is asked for rarely, so it is made on demand. */
export function prepareArchives(catalog: Catalog, payload: ManifestPayload): ArchiveResponses {
  const contents = new Map<string, () => ArchiveContent | null>();
  const current = () => currentArchive(catalog, payload);
  const before = catalog.archive?.header.previous?.sha256;
  if (before !== undefined) contents.set(before, () => previousArchive(catalog, current()));
  if (payload.archive !== undefined) contents.set(payload.archive.sha256, current);
  const responses = new Map<string, ReturnType<ArchiveResponses["find"]>>();
  const find = (sha256: string) => {
    const create = contents.get(sha256);
    if (create === undefined) return undefined;
    if (responses.has(sha256)) return responses.get(sha256);
    const made = toResponse(sha256, create());
    responses.set(sha256, made);
    made?.then(
      (response) => responses.set(sha256, response),
      () => responses.delete(sha256),
    );
    return made;
  };
  return { digests: [...contents.keys()], find };
}

/** The index is no signed file: an archive before the current one is served only if it has its digest. */
function toResponse(
  sha256: string,
  content: ArchiveContent | null,
): Promise<NegotiatedResponse> | undefined {
  return content !== null && summariseArchive(content)?.sha256 === sha256
    ? negotiatedLongJson(archiveBytes(content), CACHE.immutable)
    : undefined;
}
