/** Walks along a signed payload and finds the catalogue's own releases in it, one after the other. */
import { setImmediate } from "node:timers/promises";
import {
  isPublished,
  withdrawnReleases,
  type Catalog,
  type ReleaseRecord,
} from "../../rules/release/catalog.ts";
import {
  MAX_HEAD_LENGTH,
  payloadTail,
  readPayloadHead,
  RELEASE_SEPARATOR,
  type ManifestHead,
} from "../../rules/release/recognize-payload.ts";
import type { SignedPayload } from "./verify-envelope.ts";

export interface RecognizedManifest {
  readonly head: ManifestHead;
  /** Where each published release begins in the payload, newest build first. */
  readonly starts: readonly number[];
}

/**
 * How many bytes a release's public body has, when it is what comes next; null when it is not.
 * `next` gives so many bytes of what comes.
 */
export type MeasureRelease<R> = (release: R, next: (length: number) => Buffer) => number | null;

const RELEASES_PER_TURN = 128;

/** Null when the payload says anything else, or says it in another way: it must then be parsed. */
export async function recognizeManifest<R extends ReleaseRecord>(
  payload: SignedPayload,
  catalog: Catalog<R>,
  measure: MeasureRelease<R>,
): Promise<RecognizedManifest | null> {
  const head = readPayloadHead(
    payload.read(0, MAX_HEAD_LENGTH).toString("utf8"),
    catalog.settings.product,
  );
  if (head === null) return null;
  let at = 0;
  const next = (length: number) => payload.read(at, length);
  const pass = (text: string) => {
    const piece = Buffer.from(text, "utf8");
    if (!next(piece.length).equals(piece)) return false;
    at += piece.length;
    return true;
  };
  if (!pass(head.text)) return null;
  const starts: number[] = [];
  for (const release of catalog.releases.filter(isPublished)) {
    if (starts.length > 0 && !pass(RELEASE_SEPARATOR)) return null;
    const length = measure(release, next);
    if (length === null) return null;
    starts.push(at);
    at += length;
    if (starts.length % RELEASES_PER_TURN === 0) await setImmediate();
  }
  if (!pass(payloadTail(withdrawnReleases(catalog)))) return null;
  return at === payload.length ? { head: head.fields, starts } : null;
}
