/**
 * Decides when a feed is fetched again. Jitter spreads subscriptions that were made at the same
 * time; `random` is at least 0 and below 1.
 */

export const FETCH_INTERVAL_MS = 60 * 60_000;

/** Limits the back-off, and the Retry-After of a server. */
export const MAX_FETCH_DELAY_MS = 24 * FETCH_INTERVAL_MS;

export const MANUAL_INTERVAL_MS = 60_000;

/** An unchanged feed is read in full after this time, because the window of its series has moved. */
export const FULL_READ_INTERVAL_MS = 7 * 24 * FETCH_INTERVAL_MS;

const JITTER = 0.25;

export function nextFetchAfterSuccess(now: number, random: number): number {
  return now + spread(FETCH_INTERVAL_MS, random);
}

/** `failures` includes this one. */
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

export function nextManualFetch(lastFetchedAt: number | null, now: number): number {
  // The clock was set back when the last fetch is in the future.
  if (lastFetchedAt === null || lastFetchedAt > now) return now;
  return Math.max(now, lastFetchedAt + MANUAL_INTERVAL_MS);
}

function spread(delay: number, random: number): number {
  return Math.round(delay * (1 + JITTER * random));
}
