/**
 * Recognises the payload that a catalogue itself would be signed as: a head, the public releases as
 * the service answers them, and what was withdrawn. Then nothing of it needs to be parsed or
 * compared field by field, which for a long history saves most of the time and of the memory.
 */
import type { ManifestPayload, WithdrawnRelease } from "../../contract/release/types.ts";
import { isManifestPayload } from "./manifest-payload.ts";

export type ManifestHead = Omit<ManifestPayload, "releases" | "withdrawn">;

export interface PayloadHead {
  readonly fields: ManifestHead;
  /** Everything up to the first release. */
  readonly text: string;
}

/** The fields before the releases have a few hundred characters. */
export const MAX_HEAD_LENGTH = 4096;
/** Stands between two releases. */
export const RELEASE_SEPARATOR = ",";
const RELEASES = ',"releases":[';

/** Null when the text begins in another way or with another product: it must then be parsed. */
export function readPayloadHead(text: string, product: string): PayloadHead | null {
  const end = text.slice(0, MAX_HEAD_LENGTH).indexOf(RELEASES);
  if (end < 0) return null;
  let value: unknown;
  try {
    value = JSON.parse(`${text.slice(0, end)},"releases":[],"withdrawn":[]}`);
  } catch {
    return null;
  }
  if (!isManifestPayload(value) || value.product !== product) return null;
  const { releases: _releases, withdrawn: _withdrawn, ...fields } = value;
  const head = JSON.stringify(fields).slice(0, -1) + RELEASES;
  return text.startsWith(head) ? { fields, text: head } : null;
}

/** Everything after the last release. */
export function payloadTail(withdrawn: readonly WithdrawnRelease[]): string {
  return `],"withdrawn":${JSON.stringify(withdrawn)}}`;
}
