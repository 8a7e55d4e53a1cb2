/** What an update client remembers between runs: the last manifest that it verified. */
import { verifyManifest, type ManifestTrust } from "../../rules/release/open-manifest.ts";
import { isEtag } from "./etag.ts";

/**
 * Implemented by the app over a file or any key-value store. The text is the client's own: keep it
 * as it is, and never judge it. `load` answers null when nothing was saved yet.
 */
export interface UpdateStorage {
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
}

export interface UpdateState {
  /** Manifests with a lower sequence are refused as a rollback. */
  readonly highestSequence: number;
  readonly etag: string | null;
  /** The envelope exactly as it came, or null when none can be used again. */
  readonly envelope: string | null;
}

export const NO_UPDATE_STATE: UpdateState = { highestSequence: 0, etag: null, envelope: null };

/** For tests and short-lived programs: after a restart an older manifest is not recognised. */
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
 * Reads what storage gave back without believing it. A stored envelope proves its own sequence, so
 * a damaged number can neither lower the floor nor raise it beyond reach. Only when the envelope
 * cannot be verified (damaged, or its key has left the ring) does the bare number count.
 */
export async function readUpdateState(
  text: string | null,
  trust: Pick<ManifestTrust, "keys" | "product">,
): Promise<UpdateState> {
  const { highestSequence, etag, envelope } = parseRecord(text);
  if (typeof envelope === "string") {
    // Expiry is judged when the envelope is used; its sequence stays true for ever.
    const anyTime = { highestSequence: 0, now: Number.NEGATIVE_INFINITY };
    const opened = await verifyManifest(envelope, { ...trust, ...anyTime });
    if (opened.kind === "verified") {
      const { sequence } = opened.payload;
      return { highestSequence: sequence, etag: isEtag(etag) ? etag : null, envelope };
    }
  }
  return Number.isSafeInteger(highestSequence) && (highestSequence as number) > 0
    ? { ...NO_UPDATE_STATE, highestSequence: highestSequence as number }
    : NO_UPDATE_STATE;
}

function parseRecord(text: string | null): Record<keyof UpdateState, unknown> {
  let value: unknown = null;
  try {
    value = JSON.parse(text ?? "null");
  } catch {
    // Half-written or foreign text: as if nothing had been saved.
  }
  const record = typeof value === "object" && value !== null ? value : {};
  return { ...NO_UPDATE_STATE, ...record };
}
