/**
 * Keeps subscriptions fresh in the background. Any number of processes may run one on one store: each
 * subscription is claimed by one of them.
 */
import type { EventsStore, Subscription } from "../store.ts";
import { claimDue, type Refresher, type RefreshResult } from "./refresh-subscription.ts";

export interface SubscriptionWorkerOptions {
  readonly store: EventsStore;
  readonly refresher: Refresher;
  readonly onNotice?: (notice: SubscriptionNotice) => void;
  readonly now?: () => number;
  /** How many are fetched at the same time. */
  readonly concurrency?: number;
  /** How often it looks for what is due. */
  readonly lookEveryMs?: number;
}

/** For the log. Neither an address nor a host nor a name is in it: all three say who reads what. */
export type SubscriptionNotice =
  | {
      readonly kind: "subscription-fetched";
      readonly sourceId: string;
      readonly outcome: Exclude<RefreshResult, { kind: "failed" }>;
    }
  | {
      readonly kind: "subscription-failed";
      readonly sourceId: string;
      readonly fault: string;
      readonly failures: number;
    }
  | { readonly kind: "subscription-error"; readonly sourceId: string; readonly error: unknown }
  | { readonly kind: "subscriptions-unavailable"; readonly error: unknown };

export interface SubscriptionWorker {
  /** Breaks fetches off, lets imports finish, and settles when nothing runs any more. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 30_000;
const CONCURRENCY = 2;

export function createSubscriptionWorker(options: SubscriptionWorkerOptions): SubscriptionWorker {
  const { store, refresher, onNotice, now = Date.now } = options;
  const { concurrency = CONCURRENCY, lookEveryMs = LOOK_EVERY_MS } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const free = concurrency - running.size;
    if (free <= 0 || stopping.signal.aborted) return;
    try {
      for (const claimed of await claimDue(store, now(), free)) start(claimed);
    } catch (error) {
      onNotice?.({ kind: "subscriptions-unavailable", error });
    }
  }

  /** One look at a time: two would start more than there is place for. */
  function lookSoon(): void {
    looking ??= look().finally(() => {
      looking = null;
    });
  }

  function start(claimed: Subscription): void {
    const work = refresh(claimed).finally(() => {
      running.delete(work);
      // A long queue does not wait for the clock.
      lookSoon();
    });
    running.add(work);
  }

  async function refresh(claimed: Subscription): Promise<void> {
    const { sourceId } = claimed;
    try {
      const outcome = await refresher.refresh(claimed, { stop: stopping.signal });
      if (outcome.kind === "failed") {
        const { fault, failures } = outcome;
        onNotice?.({ kind: "subscription-failed", sourceId, fault, failures });
      } else onNotice?.({ kind: "subscription-fetched", sourceId, outcome });
    } catch (error) {
      onNotice?.({ kind: "subscription-error", sourceId, error });
      // Without a note it would be tried again at the end of its claim, and again, for ever.
      await refresher.fail(claimed, "import-failed").catch((error: unknown) => {
        onNotice?.({ kind: "subscriptions-unavailable", error });
      });
    }
  }

  const pending = () => [...running, ...(looking === null ? [] : [looking])];
  const timer = setInterval(lookSoon, lookEveryMs).unref();
  lookSoon();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      for (let left = pending(); left.length > 0; left = pending()) await Promise.all(left);
    },
  };
}
