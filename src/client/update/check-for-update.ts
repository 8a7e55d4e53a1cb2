import type { ManifestPayload } from "../../contract/release/types.ts";
import { verifyNextManifest } from "../../rules/release/manifest-memory.ts";
import type { ManifestError } from "../../rules/release/verify-manifest.ts";
import { isEtag } from "../../rules/http-headers.ts";
import { evaluateUpdate, type UpdateStatus } from "./evaluate-update.ts";
import { fetchText, type TransportError } from "./fetch-text.ts";
import type { UpdateSettings } from "./settings.ts";
import { readUpdateState, writeUpdateState, type UpdateState } from "./storage.ts";

export type UpdateError = TransportError | ManifestError | StorageError;

export interface StorageError {
  readonly kind: "storage-failed";
  readonly cause: unknown;
}

export type UpdateCheckResult =
  | UpdateStatus
  /** Nothing could be verified, so the app must not install anything. */
  | { readonly kind: "cannot-confirm"; readonly error: UpdateError };

export async function checkForUpdate(
  settings: UpdateSettings,
  signal?: AbortSignal,
): Promise<UpdateCheckResult> {
  const found = await findManifest(settings, signal);
  return found.kind === "verified"
    ? evaluateUpdate(found.payload, settings, found.now)
    : { kind: "cannot-confirm", error: found };
}

interface Verified {
  readonly kind: "verified";
  readonly payload: ManifestPayload;
  readonly now: number;
}

async function findManifest(
  settings: UpdateSettings,
  signal: AbortSignal | undefined,
): Promise<Verified | UpdateError> {
  const { keys, product, storage } = settings;
  let saved: string | null;
  let stored: UpdateState;
  try {
    saved = await storage.load();
    stored = await readUpdateState(saved, settings);
  } catch (cause) {
    return { kind: "storage-failed", cause };
  }
  const response = await requestManifest(settings, stored, signal);
  if (response.kind !== "envelope") return response;
  const { etag, envelope } = response;
  const now = settings.now();
  const result = await verifyNextManifest(envelope, { keys, product, memory: stored.memory, now });
  if (result.kind !== "verified") return result;
  const state = writeUpdateState({ memory: result.memory, etag, envelope });
  try {
    if (state !== saved) await storage.save(state);
  } catch (cause) {
    return { kind: "storage-failed", cause };
  }
  return result;
}

interface EnvelopeResponse {
  readonly kind: "envelope";
  readonly etag: string | null;
  readonly envelope: string;
}

async function requestManifest(
  settings: UpdateSettings,
  { etag, envelope }: UpdateState,
  signal: AbortSignal | undefined,
): Promise<EnvelopeResponse | TransportError> {
  const response = await fetchText(settings.fetch, {
    url: `${settings.baseUrl}/api/v1/manifest`,
    headers: etag === null ? {} : { "If-None-Match": etag },
    maxBytes: settings.limits.maxManifestBytes,
    timeoutMs: settings.limits.timeoutMs,
    signal,
  });
  if (response.kind === "text") {
    const received = isEtag(response.etag) ? response.etag : null;
    return { kind: "envelope", etag: received, envelope: response.text };
  }
  // A 304 to an unconditional request stays an error.
  const isNotModified = response.kind === "http-status" && response.status === 304;
  return isNotModified && etag !== null && envelope !== null
    ? { kind: "envelope", etag, envelope }
    : response;
}
