/**
 * When a feed is fetched again. Never within the hour, and never at the hour: many subscriptions made
 * together spread out by themselves. `random` is at least 0 and below 1.
 */

export const FETCH_INTERVAL_MS = 60 * 60_000;

/** A server that fails for days is asked once a day, and whatever it says, not less often. */
export const MAX_FETCH_DELAY_MS = 24 * FETCH_INTERVAL_MS;

/** A person may ask for it now, once in a while. */
export const MANUAL_INTERVAL_MS = 60_000;

/**
 * A feed that says that it did not change is read in full all the same after this: its series go on,
 * and what comes into sight was not there before.
 */
export const FULL_READ_INTERVAL_MS = 7 * 24 * FETCH_INTERVAL_MS;

const JITTER = 0.25;

export function nextFetchAfterSuccess(now: number, random: number): number {
  return now + spread(FETCH_INTERVAL_MS, random);
}

/** `failures` counts this one. */
export function nextFetchAfterFailure(
  now: number,
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number {
  const backOff = FETCH_INTERVAL_MS * 2 ** Math.min(failures - 1, 10);
  const delay = Math.min(Math.max(backOff, retryAfterMs ?? 0), MAX_FETCH_DELAY_MS);
  return now + spread(delay, random);
}

/** The first moment at which a person's wish is fulfilled. */
export function nextManualFetch(lastFetchedAt: number | null, now: number): number {
  // A last fetch in the future is a clock that was set back.
  if (lastFetchedAt === null || lastFetchedAt > now) return now;
  return Math.max(now, lastFetchedAt + MANUAL_INTERVAL_MS);
}

function spread(delay: number, random: number): number {
  return Math.round(delay * (1 + JITTER * random));
}
