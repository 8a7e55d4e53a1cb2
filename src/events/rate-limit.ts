/**
 * Rate limits that all processes on one store share. Each takes a block of a subject's hits from the
 * store and spends it in memory, so that most requests write nothing; what was taken counts, spent or
 * not, so the total never exceeds the limit.
 */
import { createHmac } from "node:crypto";
import type { RateLimit, RateLimiter } from "../http/rate-limit.ts";
import type { InstanceKey } from "../identity/instance-key.ts";
import type { EventsStore } from "./store.ts";

export interface SharedRateLimitSettings {
  readonly store: EventsStore;
  readonly instanceKey: InstanceKey;
  /** Keeps the hits of one limit from counting for another. */
  readonly name: string;
  readonly limit: RateLimit;
  now(): number;
}

/** What is left of a block, in the window it was taken for. */
interface Reservation {
  readonly windowStart: number;
  left: number;
  /** The store has no more to give in this window. */
  isLast: boolean;
  taking: Promise<void> | null;
}

/** A block is this part of the limit: then another process finds the other nine. */
const BLOCKS_PER_LIMIT = 10;
/** Whoever is forgotten loses the rest of a block, and takes another. */
const MAX_RESERVATIONS = 10_000;

export function createSharedRateLimiter(settings: SharedRateLimitSettings): RateLimiter {
  const { store, name, limit, now } = settings;
  const windowMs = limit.windowSeconds * 1000;
  const block = Math.ceil(limit.requests / BLOCKS_PER_LIMIT);
  const key = settings.instanceKey.derive("events/hits");
  // Addresses are nobody's business: the store sees only what cannot be turned back by trying.
  const subjectOf = (client: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([name, client]))
      .digest("base64url");
  const reservations = new Map<string, Reservation>();

  function reservationOf(subject: string, windowStart: number): Reservation {
    const known = reservations.get(subject);
    if (known?.windowStart === windowStart) return known;
    const made: Reservation = { windowStart, left: 0, isLast: false, taking: null };
    // Set anew, so that the order of the map is that of the windows and the first is the oldest.
    reservations.delete(subject);
    reservations.set(subject, made);
    if (reservations.size > MAX_RESERVATIONS) {
      const [oldest = ""] = reservations.keys();
      reservations.delete(oldest);
    }
    return made;
  }

  async function take(subject: string, reservation: Reservation): Promise<void> {
    const taken = await store.transaction(({ rateLimitCounters }) =>
      rateLimitCounters.take(subject, reservation.windowStart, block, limit.requests),
    );
    reservation.left += taken;
    reservation.isLast = taken < block;
  }

  return {
    async consume(client) {
      const subject = subjectOf(client);
      for (;;) {
        const at = now();
        const windowStart = at - (at % windowMs);
        const reservation = reservationOf(subject, windowStart);
        if (reservation.left > 0) {
          reservation.left--;
          return { kind: "allowed" };
        }
        if (reservation.isLast) {
          const waitMs = windowStart + windowMs - at;
          return { kind: "limited", retryAfterSeconds: Math.ceil(waitMs / 1000) };
        }
        reservation.taking ??= take(subject, reservation).finally(() => {
          reservation.taking = null;
        });
        await reservation.taking;
      }
    },
  };
}
