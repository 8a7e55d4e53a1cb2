/** Asks the release service for a newer version at start, once a day, and when told to. */
import type { UpdateCheckResult, UpdateClient } from "trellis/client";
import { createObservable, type Observable } from "./observable.ts";

export interface Updates {
  readonly currentVersion: string;
  /** Null before the first check has ended. */
  readonly result: Observable<UpdateCheckResult | null>;
  check(): Promise<void>;
}

const DAY_MS = 86_400_000;

export function createUpdates(
  client: UpdateClient,
  currentVersion: string,
  onOffer: (version: string) => void,
): Updates {
  const result = createObservable<UpdateCheckResult | null>(null);
  async function check(): Promise<void> {
    const previous = offeredVersion(result.get());
    const next = await client.check();
    // An offer that was verified stays valid while the service cannot be reached.
    if (next.kind === "cannot-confirm" && previous !== null) return;
    result.set(next);
    const version = offeredVersion(next);
    if (version !== null && version !== previous) onOffer(version);
  }
  void check();
  setInterval(() => void check(), DAY_MS);
  return { currentVersion, result, check };
}

function offeredVersion(result: UpdateCheckResult | null): string | null {
  return result?.kind === "update-available" ? result.release.version : null;
}
