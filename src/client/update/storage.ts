/** What the client remembers between runs of the app. */
import { isObject } from "../../contract/is-object.ts";
import { isEtag } from "../../rules/http-headers.ts";
import { parseJson } from "../../rules/parse-json.ts";
import {
  isTrusted,
  NO_MANIFEST_MEMORY,
  toSeen,
  type ManifestMemory,
  type SeenManifest,
} from "../../rules/release/manifest-memory.ts";
import { openManifest, type ManifestTrust } from "../../rules/release/verify-manifest.ts";

/**
 * Implemented by the app, over a file or a key-value store. The text is opaque. `load` returns null
 * before the first `save`.
 */
export interface UpdateStorage {
  load(): string | null | Promise<string | null>;
  save(text: string): void | Promise<void>;
}

export interface UpdateState {
  readonly memory: ManifestMemory;
  readonly etag: string | null;
  /** Exactly as received; null when it cannot be verified again. */
  readonly envelope: string | null;
}

export const NO_UPDATE_STATE: UpdateState = {
  memory: NO_MANIFEST_MEMORY,
  etag: null,
  envelope: null,
};

/**
 * For tests and programs that run once. It forgets everything at the end of the process, and with it
 * which manifests are older than one that was seen and which keys were revoked.
 */
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
 * The stored text is not trusted. The envelope is signed, so a damaged number can neither lower the
 * highest sequence nor raise it out of reach. The bare numbers count only when the envelope cannot be
 * verified: it is damaged, or its key has left the ring or was revoked.
 */
export async function readUpdateState(
  text: string | null,
  trust: Pick<ManifestTrust, "keys" | "product">,
): Promise<UpdateState> {
  const value = parseJson(text ?? "");
  const record = isObject(value) ? value : {};
  const memory = readMemory(record["memory"]);
  const { envelope, etag } = record;
  const manifest = typeof envelope === "string" ? await openManifest(envelope, trust) : null;
  if (
    typeof envelope !== "string" ||
    manifest?.kind !== "genuine" ||
    !isTrusted(manifest.publicKey, trust.keys, memory)
  ) {
    return { ...NO_UPDATE_STATE, memory };
  }
  const seen = await toSeen(manifest);
  // No key that is trusted has signed a later manifest, or this one would have been refused.
  const earlier = Object.entries(memory.newest).filter(
    ([, { sequence }]) => sequence <= seen.sequence,
  );
  const newest = { ...Object.fromEntries(earlier), [manifest.publicKey]: seen };
  return { memory: { ...memory, newest }, etag: isEtag(etag) ? etag : null, envelope };
}

function readMemory(value: unknown): ManifestMemory {
  const memory = isObject(value) ? value : {};
  return {
    newest: readEntries(memory["newest"], isSeen),
    revokedBy: readEntries(memory["revokedBy"], (key) => typeof key === "string"),
  };
}

/** Without the entries that are damaged. */
function readEntries<T>(value: unknown, isItem: (item: unknown) => item is T): Record<string, T> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => isItem(entry[1])));
}

function isSeen(value: unknown): value is SeenManifest {
  return (
    isObject(value) &&
    Number.isSafeInteger(value["sequence"]) &&
    Number.isSafeInteger(value["issuedAt"]) &&
    typeof value["sha256"] === "string"
  );
}
