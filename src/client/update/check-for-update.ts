import type { ManifestPayload } from "../../contract/release/schemas.ts";
import {
  verifyNextManifest,
  type NextManifestResult,
} from "../../rules/release/manifest-memory.ts";
import { evaluateUpdate, type UpdateStatus } from "../../rules/release/evaluate-update.ts";
import type { ManifestError } from "../../rules/release/verify-manifest.ts";
import { fetchText, type TextResponse, type TransportError } from "./fetch-text.ts";
import { bucketOf } from "./installation-id.ts";
import { createValidator, isCurrent, type ManifestValidator } from "./manifest-validator.ts";
import type { UpdateSettings } from "./settings.ts";
import {
  readUpdateState,
  writeUpdateState,
  type LostState,
  type StoredState,
  type UpdateState,
} from "./stored-state.ts";

/** Why a check or a history could not be confirmed: the network, the signed manifest or the storage. */
export type UpdateError = TransportError | ManifestError | StorageError;

export interface StorageError {
  readonly kind: "storage-failed";
  readonly cause: unknown;
}

/** The app's storage returned a text that is not what the client saved; the client goes on without. */
export interface UpdateNotice {
  /** The only kind of notice. */
  readonly kind: "stored-state-damaged";
  /** What the stored state lacked or had damaged. */
  readonly lost: readonly LostState[];
}

/**
 * What a check for an update came to. Only `update-available` has a file to download; `cannot-confirm` means
 * that the signed manifest could not be verified.
 */
export type UpdateCheckResult = (
  | UpdateStatus
  /** Nothing could be verified, so the app must not install anything. */
  | { readonly kind: "cannot-confirm"; readonly error: UpdateError }
) & {
  /** What the maker should hear about; none changes the result. */
  readonly notices: readonly UpdateNotice[];
};

export async function checkForUpdate(
  settings: UpdateSettings,
  signal?: AbortSignal,
): Promise<UpdateCheckResult> {
  const { found, notices } = await receiveVerified(settings, signal);
  return found.kind === "verified"
    ? { ...evaluateUpdate(found.payload, settings, found.bucket, found.now), notices }
    : { kind: "cannot-confirm", error: found, notices };
}

/** The current manifest, verified and remembered. */
export async function receiveVerified(
  settings: UpdateSettings,
  signal: AbortSignal | undefined,
): Promise<{
  readonly found: Verified | UpdateError;
  readonly notices: readonly UpdateNotice[];
}> {
  let saved: string | null;
  let stored: StoredState;
  try {
    saved = await settings.storage.load();
    stored = await readUpdateState(saved, settings);
  } catch (cause) {
    return { found: { kind: "storage-failed", cause }, notices: [] };
  }
  const found = await findManifest(settings, { saved, stored }, signal);
  const { lost } = stored;
  const notices = lost.length > 0 ? [{ kind: "stored-state-damaged" as const, lost }] : [];
  return { found, notices };
}

interface Verified {
  readonly kind: "verified";
  readonly payload: ManifestPayload;
  readonly bucket: number;
  readonly now: number;
}

interface LoadedState {
  /** The text as the storage returned it. */
  readonly saved: string | null;
  readonly stored: StoredState;
}

async function findManifest(
  settings: UpdateSettings,
  { saved, stored }: LoadedState,
  signal: AbortSignal | undefined,
): Promise<Verified | UpdateError> {
  const received = await receiveManifest(settings, stored, signal);
  if (received.kind !== "received") return received;
  const { result, envelope, validator } = received;
  const { memory } = result;
  if (result.kind === "refused") {
    // A manifest that is refused leaves at most its revocations behind.
    const hasChanged = memory !== stored.memory;
    const error = hasChanged ? await saveState(settings, { ...stored, memory }, saved) : null;
    return error ?? result.error;
  }
  const installationId = stored.installationId ?? settings.newInstallationId();
  const state = { memory, envelope, validator, installationId };
  // TUF 5.4.5: what is not stored cannot stop a rollback attack later.
  const error = await saveState(settings, state, saved);
  return error ?? { ...result, bucket: bucketOf(installationId) };
}

async function saveState(
  { storage }: UpdateSettings,
  state: UpdateState,
  saved: string | null,
): Promise<StorageError | null> {
  try {
    const text = await writeUpdateState(state);
    if (text !== saved) await storage.save(text);
    return null;
  } catch (cause) {
    return { kind: "storage-failed", cause };
  }
}

interface ReceivedManifest {
  readonly kind: "received";
  readonly result: NextManifestResult;
  readonly validator: ManifestValidator | null;
  readonly envelope: string;
}

async function receiveManifest(
  settings: UpdateSettings,
  { memory, envelope, validator }: UpdateState,
  signal: AbortSignal | undefined,
): Promise<ReceivedManifest | TransportError> {
  const { keys, product } = settings;
  const verify = (text: string) =>
    verifyNextManifest(text, { keys, product, memory, now: settings.now() });
  const receive = async (response: TextResponse): Promise<ReceivedManifest | TransportError> => {
    if (response.kind !== "text") return response;
    const { text, etag } = response;
    const received = await createValidator(etag, text, settings.now());
    return { kind: "received", result: await verify(text), validator: received, envelope: text };
  };
  const isConditional =
    validator !== null && envelope !== null && isCurrent(validator, settings.now());
  const response = await requestManifest(settings, isConditional ? validator.etag : null, signal);
  const isNotModified = response.kind === "http-status" && response.status === 304;
  // A 304 to an unconditional request stays an error.
  if (!isNotModified || !isConditional) return receive(response);
  const result = await verify(envelope);
  if (result.kind === "verified") return { kind: "received", result, validator, envelope };
  // The ETag must not hold the client at a manifest that it refuses.
  return receive(await requestManifest(settings, null, signal));
}

function requestManifest(
  settings: UpdateSettings,
  etag: string | null,
  signal: AbortSignal | undefined,
): Promise<TextResponse> {
  return fetchText(settings.fetch, {
    url: `${settings.baseUrl}/api/v1/manifest`,
    headers: etag === null ? {} : { "If-None-Match": etag },
    // TUF 5.4.1: an endless data attack.
    maxBytes: settings.limits.maxManifestBytes,
    timeoutMs: settings.limits.timeoutMs,
    signal,
  });
}
