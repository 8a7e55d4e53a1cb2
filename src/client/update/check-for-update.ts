/** Asks for the manifest, proves it, remembers it, and says what it means for this app. */
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { verifyManifest, type ManifestError } from "../../rules/release/open-manifest.ts";
import { attempt } from "./attempt.ts";
import { isEtag } from "./etag.ts";
import { fetchText, type TransportError } from "./fetch-text.ts";
import { judgeUpdate, type UpdateJudgement } from "./judge-update.ts";
import type { UpdateSettings } from "./settings.ts";
import { readUpdateState, writeUpdateState, type UpdateState } from "./storage.ts";

/** Why a check proved nothing. None of these ever leads to an install. */
export type UpdateError =
  | TransportError
  | ManifestError
  | { readonly kind: "storage-failed"; readonly cause: unknown };

export type UpdateCheck =
  | UpdateJudgement
  /** It is unknown whether this app is up to date. */
  | { readonly kind: "cannot-confirm"; readonly problem: UpdateError };

export async function checkForUpdate(
  settings: UpdateSettings,
  signal?: AbortSignal,
): Promise<UpdateCheck> {
  const found = await findManifest(settings, signal);
  return found.kind === "verified"
    ? judgeUpdate(found.payload, settings, settings.now())
    : { kind: "cannot-confirm", problem: found };
}

interface Verified {
  readonly kind: "verified";
  readonly payload: ManifestPayload;
}

async function findManifest(
  settings: UpdateSettings,
  signal: AbortSignal | undefined,
): Promise<Verified | UpdateError> {
  const stored = await attempt(async () =>
    readUpdateState(await settings.storage.load(), settings),
  );
  if (stored.kind === "failed") return { kind: "storage-failed", cause: stored.cause };
  const answer = await requestManifest(settings, stored.value, signal);
  if (answer.kind !== "envelope") return answer;
  const outcome = await verifyManifest(answer.state.envelope, {
    keys: settings.keys,
    product: settings.product,
    highestSequence: stored.value.highestSequence,
    now: settings.now(),
  });
  if (outcome.kind !== "verified") return outcome;
  if (answer.isNew) {
    const state = { ...answer.state, highestSequence: outcome.payload.sequence };
    const saved = await attempt(async () => settings.storage.save(writeUpdateState(state)));
    if (saved.kind === "failed") return { kind: "storage-failed", cause: saved.cause };
  }
  return outcome;
}

interface Envelope {
  readonly kind: "envelope";
  readonly isNew: boolean;
  readonly state: { readonly etag: string | null; readonly envelope: string };
}

async function requestManifest(
  settings: UpdateSettings,
  { etag, envelope }: UpdateState,
  signal: AbortSignal | undefined,
): Promise<Envelope | TransportError> {
  const answer = await fetchText(settings.fetch, {
    url: `${settings.baseUrl}/api/v1/manifest`,
    headers: etag === null ? {} : { "If-None-Match": etag },
    maxBytes: settings.limits.maxManifestBytes,
    timeoutMs: settings.limits.timeoutMs,
    signal,
  });
  if (answer.kind === "not-modified") {
    // Nothing was asked conditionally, so "not modified" answers nothing.
    if (etag === null || envelope === null) return { kind: "http-status", status: 304 };
    return { kind: "envelope", isNew: false, state: { etag, envelope } };
  }
  if (answer.kind !== "text") return answer;
  const received = { etag: isEtag(answer.etag) ? answer.etag : null, envelope: answer.text };
  const isNew = received.envelope !== envelope || received.etag !== etag;
  return { kind: "envelope", isNew, state: received };
}
