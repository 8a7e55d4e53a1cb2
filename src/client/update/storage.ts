/** The last verified manifest, stored between runs of the app. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { verifyManifest, type ManifestTrust } from "../../rules/release/verify-manifest.ts";
import { isEtag } from "../../rules/http-headers.ts";

/**
 * Implemented by the app, over a file or a key-value store. The text is opaque. `load` returns null
 * before the first `save`.
 */
export interface UpdateStorage {
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
}

export interface UpdateState {
  /** Manifests with a lower sequence are refused as a rollback. */
  readonly highestSequence: number;
  readonly etag: string | null;
  /** Exactly as received; null when it cannot be verified again. */
  readonly envelope: string | null;
}

export const NO_UPDATE_STATE: UpdateState = { highestSequence: 0, etag: null, envelope: null };

/** For tests and short-lived programs: a rollback across a restart is not detected. */
export function createMemoryStorage(): UpdateStorage {
  let saved: string | null = null;
  return {
    load: () => saved,
    save: (text) => {
      saved = text;
    },
  };
}

export function writeUpdateState(state: UpdateState): string {
  return JSON.stringify(state);
}

/**
 * The stored text is not trusted. The envelope's sequence is signed, so a damaged number can neither
 * lower the highest sequence nor raise it out of reach. The bare number counts only when the envelope
 * cannot be verified: it is damaged, or its key has left the ring.
 */
export async function readUpdateState(
  text: string | null,
  trust: Pick<ManifestTrust, "keys" | "product">,
): Promise<UpdateState> {
  const { highestSequence, etag, envelope } = parseRecord(text);
  if (typeof envelope === "string") {
    // An expired envelope still has a signed sequence; expiry is checked when it is used.
    const anyTime = { highestSequence: 0, now: Number.NEGATIVE_INFINITY };
    const result = await verifyManifest(envelope, { ...trust, ...anyTime });
    if (result.kind === "verified") {
      const { sequence } = result.payload;
      return { highestSequence: sequence, etag: isEtag(etag) ? etag : null, envelope };
    }
  }
  return Number.isSafeInteger(highestSequence) && (highestSequence as number) > 0
    ? { ...NO_UPDATE_STATE, highestSequence: highestSequence as number }
    : NO_UPDATE_STATE;
}

function parseRecord(text: string | null): Record<keyof UpdateState, unknown> {
  // Damaged text is read as if nothing had been saved.
  const value = parseJson(text ?? "");
  return { ...NO_UPDATE_STATE, ...(isObject(value) ? value : {}) };
}
