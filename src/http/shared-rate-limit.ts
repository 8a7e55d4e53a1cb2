/**
 * Rate limits that all processes on one store share. A process takes a block of a client's requests
 * from the store and counts them down in memory, so that most requests write nothing. A block counts
 * as a whole, so the processes together never exceed the limit.
 */
import { createBoundedCache } from "../contract/bounded-cache.ts";
import type { RateLimit, RateLimiter } from "./rate-limit.ts";

/** The port of a store for rate limits, inside one transaction. */
export interface RateLimitCounters {
  /**
   * Counts up to `wanted` requests of a subject, a keyed hash, in the window that begins at
   * `windowStart`. Returns how many of them are within the limit.
   */
  take(subject: string, windowStart: number, wanted: number, limit: number): Promise<number>;
}

interface CounterStore {
  transaction<T>(
    work: (records: { readonly rateLimitCounters: RateLimitCounters }) => Promise<T>,
  ): Promise<T>;
}

export interface SharedRateLimitSettings {
  readonly store: CounterStore;
  /** Keyed, so that an address cannot be found in the store by hashing all addresses. */
  hash(...values: readonly string[]): string;
  /** Keeps the counters of different limits apart. */
  readonly name: string;
  readonly limit: RateLimit;
  now(): number;
}

/** What is left of a block, in the window it was taken for. */
interface Reservation {
  readonly windowStart: number;
  left: number;
  /** The store has no further block in this window. */
  isLast: boolean;
  taking: Promise<void> | null;
}

const BLOCKS_PER_LIMIT = 10;
/** An evicted client loses the rest of its block and takes another. */
const MAX_RESERVATIONS = 10_000;

export function createSharedRateLimiter(settings: SharedRateLimitSettings): RateLimiter {
  const { name, limit, now } = settings;
  const windowMs = limit.windowSeconds * 1000;
  const block = Math.ceil(limit.requests / BLOCKS_PER_LIMIT);
  const reservations = createBoundedCache<string, Reservation>(MAX_RESERVATIONS);

  function findReservation(subject: string, windowStart: number): Reservation {
    const known = reservations.get(subject);
    if (known?.windowStart === windowStart) return known;
    const created: Reservation = { windowStart, left: 0, isLast: false, taking: null };
    reservations.set(subject, created);
    return created;
  }

  async function takeBlock(subject: string, reservation: Reservation): Promise<void> {
    const taken = await settings.store.transaction(({ rateLimitCounters }) =>
      rateLimitCounters.take(subject, reservation.windowStart, block, limit.requests),
    );
    reservation.left += taken;
    reservation.isLast = taken < block;
  }

  return {
    async consume(client) {
      const subject = settings.hash(name, client);
      for (;;) {
        const at = now();
        const windowStart = at - (at % windowMs);
        const reservation = findReservation(subject, windowStart);
        if (reservation.left > 0) {
          reservation.left--;
          return { kind: "allowed" };
        }
        if (reservation.isLast) {
          const waitMs = windowStart + windowMs - at;
          return { kind: "limited", retryAfterSeconds: Math.ceil(waitMs / 1000) };
        }
        reservation.taking ??= takeBlock(subject, reservation).finally(() => {
          reservation.taking = null;
        });
        await reservation.taking;
      }
    },
  };
}
