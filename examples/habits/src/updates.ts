/** Asks the release service for a newer version at start, once a day, and when told to. */
import {
  createUpdateClient,
  type Fetch,
  type UpdateCheckResult,
  type UpdateClient,
} from "trellis/client";
import type { ReleaseConfig } from "./config.ts";
import { createLocalValue } from "./local-value.ts";
import { createObservable, type Observable } from "./observable.ts";

export interface Updates {
  readonly currentVersion: string;
  /** Null before the first check has ended. */
  readonly result: Observable<UpdateCheckResult | null>;
  /** Why the last manifest is not the maker's; null while none was refused. */
  readonly manifestError: Observable<ManifestError | null>;
  check(): Promise<void>;
}

export interface UpdateListener {
  onOffer(version: string): void;
  onManifestError(manifestError: ManifestError): void;
}

export type ManifestError = (typeof MANIFEST_ERRORS)[number];

/** What a manifest of the maker never has. */
const MANIFEST_ERRORS = [
  "malformed-envelope",
  "wrong-algorithm",
  "unknown-key",
  "revoked-key",
  "bad-signature",
  "wrong-product",
  "rollback",
] as const;

const DAY_MS = 86_400_000;

/** Offers only what the signed manifest says. */
export function createUpdates(
  release: ReleaseConfig,
  storageName: string,
  fetch: Fetch,
  listener: UpdateListener,
): Updates {
  const saved = createLocalValue<string>(`${storageName}/updates`);
  const client: UpdateClient = createUpdateClient({
    ...release,
    storage: { load: saved.read, save: saved.write },
    fetch,
  });
  const result = createObservable<UpdateCheckResult | null>(null);
  const manifestError = createObservable<ManifestError | null>(null);
  async function check(): Promise<void> {
    const previous = offeredVersion(result.get());
    const next = await client.check();
    const refused = findManifestError(next);
    manifestError.set(refused);
    if (refused !== null) listener.onManifestError(refused);
    // An offer that was verified stays valid while the service cannot be reached.
    if (next.kind === "cannot-confirm" && previous !== null) return;
    result.set(next);
    const version = offeredVersion(next);
    if (version !== null && version !== previous) listener.onOffer(version);
  }
  void check();
  setInterval(() => void check(), DAY_MS);
  return { currentVersion: release.current.version, result, manifestError, check };
}

function findManifestError(result: UpdateCheckResult): ManifestError | null {
  if (result.kind !== "cannot-confirm") return null;
  return MANIFEST_ERRORS.find((manifestError) => manifestError === result.error.kind) ?? null;
}

function offeredVersion(result: UpdateCheckResult | null): string | null {
  return result?.kind === "update-available" ? result.release.version : null;
}
