import type { ManifestPayload } from "../../contract/release/types.ts";
import { verifyManifest, type ManifestError } from "../../rules/release/verify-manifest.ts";
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
    ? evaluateUpdate(found.payload, settings, settings.now())
    : { kind: "cannot-confirm", error: found };
}

interface Verified {
  readonly kind: "verified";
  readonly payload: ManifestPayload;
}

async function findManifest(
  settings: UpdateSettings,
  signal: AbortSignal | undefined,
): Promise<Verified | UpdateError> {
  const { keys, product, storage } = settings;
  let stored: UpdateState;
  try {
    stored = await readUpdateState(await storage.load(), settings);
  } catch (cause) {
    return { kind: "storage-failed", cause };
  }
  const response = await requestManifest(settings, stored, signal);
  if (response.kind !== "envelope") return response;
  const { etag, envelope } = response;
  const { highestSequence } = stored;
  const result = await verifyManifest(envelope, {
    keys,
    product,
    highestSequence,
    now: settings.now(),
  });
  if (result.kind !== "verified" || (envelope === stored.envelope && etag === stored.etag)) {
    return result;
  }
  try {
    const state = { highestSequence: result.payload.sequence, etag, envelope };
    await storage.save(writeUpdateState(state));
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
