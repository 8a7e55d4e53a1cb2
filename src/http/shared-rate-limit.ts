/**
 * Rate limits that all processes on one store share. A process takes a block of a client's requests
 * from the store and counts them down in memory, so that most requests write nothing. A block counts
 * as a whole, so the processes together never exceed the limit.
 */
import { createBoundedCache } from "../contract/bounded-cache.ts";
import type { RateLimit, RateLimiter, RateLimitResult } from "./rate-limit.ts";

/** The port of a store for rate limits, inside one transaction. */
export interface RateLimitCounters {
  /**
   * Counts up to `wanted` requests of a subject, a keyed hash, in the window. Returns how many of them are
   * within the limit. Pruning removes the counters of windows that are over.
   */
  take(subject: string, window: RateLimitWindow, wanted: number, limit: number): Promise<number>;
}

/** A window of time in milliseconds since 1970, which ends before `end`. */
export interface RateLimitWindow {
  /** The first millisecond since 1970. */
  readonly start: number;
  /** The first millisecond after it. */
  readonly end: number;
}

interface CounterStore {
  transaction<T>(
    work: (records: { readonly rateLimitCounters: RateLimitCounters }) => Promise<T>,
    options?: { readonly mayBeLost?: boolean },
  ): Promise<T>;
}

export interface SharedRateLimitSettings {
  readonly store: CounterStore;
  /** The hash is keyed, so that an address cannot be found in the store by hashing all addresses. */
  hash(...values: readonly string[]): string;
  /** The name keeps the counters of different limits apart. */
  readonly name: string;
  readonly limit: RateLimit;
  now(): number;
}

export interface RateLimitGroup {
  readonly key: string;
  /** How many times the limit the clients of the group may use together. */
  readonly share: number;
}

export interface SharedRateLimiter extends RateLimiter {
  /**
   * Counts one request for each of the groups, unless one of them has used its share up. The widest
   * group comes first: a client of a group that has used its share up costs neither a write nor
   * memory.
   */
  consumeEach(groups: readonly RateLimitGroup[]): Promise<RateLimitResult>;
  /**
   * Counts a request in the memory of this process alone, before it is known what it is. Beyond `times` the
   * share of a group, its requests are refused until the window ends; beyond twice the share, those of a
   * group that has used it up.
   */
  admit(groups: readonly RateLimitGroup[], times: number): RateLimitResult;
}

/** What is left of a block, in the window it was taken for. */
interface Reservation {
  readonly group: RateLimitGroup;
  readonly windowStart: number;
  readonly limit: number;
  left: number;
  /** The store has no further block in this window. */
  isLast: boolean;
  taking: Promise<void> | null;
  admitted: number;
}

const BLOCKS_PER_LIMIT = 10;
/** An evicted client loses the rest of its block and takes another. */
const MAX_RESERVATIONS = 10_000;

export function createSharedRateLimiter(settings: SharedRateLimitSettings): SharedRateLimiter {
  const { name, limit, now } = settings;
  const windowMs = limit.windowSeconds * 1000;
  const reservations = createBoundedCache<string, Reservation>(MAX_RESERVATIONS);

  function findReservation(group: RateLimitGroup, windowStart: number): Reservation {
    const id = `${group.share} ${group.key}`;
    const known = reservations.get(id);
    if (known?.windowStart === windowStart) return known;
    const created: Reservation = {
      group,
      windowStart,
      limit: Math.min(limit.requests * group.share, Number.MAX_SAFE_INTEGER),
      left: 0,
      isLast: false,
      taking: null,
      admitted: 0,
    };
    reservations.set(id, created);
    return created;
  }

  /** Takes blocks in one transaction, which ends with the first group that has nothing left. */
  async function takeBlocks(empty: readonly Reservation[]): Promise<void> {
    const taken = await settings.store.transaction(
      async ({ rateLimitCounters }) => {
        const counts: number[] = [];
        for (const { group, windowStart, limit: most } of empty) {
          if (counts.at(-1) === 0) break;
          const subject = settings.hash(name, group.key, String(group.share));
          const window = { start: windowStart, end: windowStart + windowMs };
          counts.push(await rateLimitCounters.take(subject, window, blockOf(most), most));
        }
        return counts;
      },
      { mayBeLost: true },
    );
    for (const [index, count] of taken.entries()) {
      const reservation = empty[index];
      if (reservation === undefined) continue;
      reservation.left += count;
      reservation.isLast = count < blockOf(reservation.limit);
    }
  }

  async function refill(empty: readonly Reservation[]): Promise<void> {
    const idle = empty.filter(({ taking }) => taking === null);
    if (idle.length > 0) {
      const taking = takeBlocks(idle).finally(() => {
        for (const reservation of idle) reservation.taking = null;
      });
      for (const reservation of idle) reservation.taking = taking;
    }
    await Promise.all(empty.map(({ taking }) => taking).filter((taking) => taking !== null));
  }

  function limitedUntilEnd(at: number): RateLimitResult {
    return { kind: "limited", retryAfterSeconds: Math.ceil((windowMs - (at % windowMs)) / 1000) };
  }

  function admit(groups: readonly RateLimitGroup[], times: number): RateLimitResult {
    const at = now();
    const counted: Reservation[] = [];
    for (const group of groups) {
      const reservation = findReservation(group, at - (at % windowMs));
      const most = reservation.limit * (isUsedUp(reservation) ? 2 : times);
      if (reservation.admitted >= most) return limitedUntilEnd(at);
      counted.push(reservation);
    }
    for (const reservation of counted) reservation.admitted++;
    return { kind: "allowed" };
  }

  async function consumeEach(groups: readonly RateLimitGroup[]): Promise<RateLimitResult> {
    for (;;) {
      const at = now();
      const windowStart = at - (at % windowMs);
      const counted: Reservation[] = [];
      for (const group of groups) {
        const reservation = findReservation(group, windowStart);
        if (isUsedUp(reservation)) return limitedUntilEnd(at);
        counted.push(reservation);
      }
      const empty = counted.filter(({ left }) => left === 0);
      if (empty.length === 0) {
        for (const reservation of counted) reservation.left--;
        return { kind: "allowed" };
      }
      await refill(empty);
    }
  }

  return { consumeEach, admit, consume: (key) => consumeEach([{ key, share: 1 }]) };
}

function isUsedUp({ left, isLast }: Reservation): boolean {
  return left === 0 && isLast;
}

function blockOf(limit: number): number {
  return Math.ceil(limit / BLOCKS_PER_LIMIT);
}
