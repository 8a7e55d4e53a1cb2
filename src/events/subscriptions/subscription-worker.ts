/** Fetches due subscriptions in the background. Several processes may do so on one store. */
import type { EventsStore, Subscription } from "../store.ts";
import { claimDue, type Refresher, type RefreshResult } from "./refresh-subscription.ts";

export interface SubscriptionWorkerOptions {
  readonly store: EventsStore;
  readonly refresher: Refresher;
  readonly onNotice?: (notice: SubscriptionNotice) => void;
  readonly now?: () => number;
  readonly concurrency?: number;
  readonly pollIntervalMs?: number;
}

/** The notices are for the log. URLs, hosts and names are left out: they show who reads what. */
export type SubscriptionNotice =
  | {
      readonly kind: "subscription-fetched";
      readonly sourceId: string;
      readonly outcome: Exclude<RefreshResult, { kind: "failed" }>;
    }
  | {
      readonly kind: "subscription-failed";
      readonly sourceId: string;
      readonly error: string;
      readonly failures: number;
    }
  | { readonly kind: "subscription-error"; readonly sourceId: string; readonly error: unknown }
  | { readonly kind: "subscriptions-unavailable"; readonly error: unknown };

export interface SubscriptionWorker {
  /** Aborts fetches and waits for imports. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 30_000;
const CONCURRENCY = 2;

export function createSubscriptionWorker(options: SubscriptionWorkerOptions): SubscriptionWorker {
  const { store, refresher, onNotice, now = Date.now } = options;
  const { concurrency = CONCURRENCY, pollIntervalMs = POLL_INTERVAL_MS } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let polling: Promise<void> | null = null;

  async function poll(): Promise<void> {
    const free = concurrency - running.size;
    if (free <= 0 || stopping.signal.aborted) return;
    try {
      for (const claimed of await claimDue(store, now(), free)) start(claimed);
    } catch (error) {
      onNotice?.({ kind: "subscriptions-unavailable", error });
    }
  }

  /** Polls run one at a time: two would exceed the concurrency. */
  function startPoll(): void {
    polling ??= poll().finally(() => {
      polling = null;
    });
  }

  function start(claimed: Subscription): void {
    const work = refresh(claimed).finally(() => {
      running.delete(work);
      // A long queue does not wait for the timer.
      startPoll();
    });
    running.add(work);
  }

  async function refresh(claimed: Subscription): Promise<void> {
    const { sourceId } = claimed;
    try {
      const result = await refresher.refresh(claimed, { stop: stopping.signal });
      if (result.kind === "failed") {
        const { error, failures } = result;
        onNotice?.({ kind: "subscription-failed", sourceId, error, failures });
      } else onNotice?.({ kind: "subscription-fetched", sourceId, outcome: result });
    } catch (error) {
      onNotice?.({ kind: "subscription-error", sourceId, error });
      // A subscription without a recorded failure would be retried at the end of each claim.
      await refresher.fail(claimed, "import-failed").catch((error: unknown) => {
        onNotice?.({ kind: "subscriptions-unavailable", error });
      });
    }
  }

  const pending = () => [...running, ...(polling === null ? [] : [polling])];
  const timer = setInterval(startPoll, pollIntervalMs).unref();
  startPoll();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      for (let left = pending(); left.length > 0; left = pending()) await Promise.all(left);
    },
  };
}
