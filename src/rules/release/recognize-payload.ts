/**
 * Recognises the payload that a catalogue itself would be signed as. Then nothing of it needs to be
 * parsed or compared, and the catalogue's own releases stand in for the signed ones: for a long
 * history that saves most of the time and of the memory.
 */
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { publishedReleases, withdrawnReleases, type Catalog } from "./catalog.ts";
import { isManifestPayload } from "./manifest-payload.ts";

const RELEASES = ',"releases":[';
/** The fields before the releases have a few hundred characters. */
const MAX_HEAD_LENGTH = 4096;

/** Null when it says anything else, or says it in another order: it must then be parsed. */
export function recognizePayload(text: string, catalog: Catalog): ManifestPayload | null {
  const end = text.slice(0, MAX_HEAD_LENGTH).indexOf(RELEASES);
  if (end < 0) return null;
  let head: unknown;
  try {
    head = JSON.parse(`${text.slice(0, end)},"releases":[],"withdrawn":[]}`);
  } catch {
    return null;
  }
  if (!isManifestPayload(head) || head.product !== catalog.settings.product) return null;
  const payload: ManifestPayload = {
    ...head,
    releases: publishedReleases(catalog),
    withdrawn: withdrawnReleases(catalog),
  };
  return JSON.stringify(payload) === text ? payload : null;
}
