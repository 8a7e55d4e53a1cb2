/**
 * Fetches and imports one subscription under a claim. `nextFetchAt` and `lastFetchedAt` identify the
 * claim, so any other change of them ends it: of two processes only the later one writes.
 */
import {
  FULL_READ_INTERVAL_MS,
  nextFetchAfterFailure,
  nextFetchAfterSuccess,
} from "../../rules/events/subscriptions/schedule.ts";
import { importFeed, type ImportedFeed } from "../import/import-feed.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventsRecords, EventsStore, Subscription } from "../store.ts";
import type { SubscriptionDependencies } from "./dependencies.ts";
import type { FeedReadResult } from "./read-feed.ts";

export type RefreshResult =
  | {
      readonly kind: "imported";
      readonly summary: ImportSummary;
      readonly warning: string | null;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly error: string; readonly failures: number }
  /** The claim was lost to a change or to another process. */
  | { readonly kind: "superseded" };

export interface RefreshOptions {
  /** A person confirmed that a feed with less than half of its entries is right. */
  readonly acceptShrink?: boolean;
  readonly stop?: AbortSignal;
}

/** A claim lasts longer than fetching, reading and writing take; afterwards another process may try. */
const CLAIM_MS = 5 * 60_000;

export function claimDue(
  store: EventsStore,
  now: number,
  limit: number,
): Promise<readonly Subscription[]> {
  return store.transaction(async ({ subscriptions }) => {
    const due = await subscriptions.claimDue(now, now + CLAIM_MS, limit);
    const claimed = due.map((subscription) => ({ ...subscription, lastFetchedAt: now }));
    for (const subscription of claimed) await subscriptions.update(subscription);
    return claimed;
  });
}

/** The claimed subscription must be written in the transaction that read the subscription. */
export function claim(subscription: Subscription, now: number): Subscription {
  return { ...subscription, nextFetchAt: now + CLAIM_MS, lastFetchedAt: now };
}

export type Refresher = ReturnType<typeof createRefresher>;

export function createRefresher({
  store,
  cipher,
  readFeed,
  defaultTimeZone,
  now,
  random,
}: SubscriptionDependencies) {
  async function readTimeZone(accountId: string): Promise<string> {
    const profile = await store.transaction(({ profiles }) => profiles.find(accountId));
    return profile?.timeZone ?? defaultTimeZone;
  }

  /** Updates the subscription if the claim is still valid. */
  function conclude(
    claimed: Subscription,
    change: Partial<Subscription>,
    result: RefreshResult,
  ): Promise<RefreshResult> {
    return store.transaction(async (records) => {
      const current = await findClaimed(records, claimed);
      if (current === null) return { kind: "superseded" };
      await records.subscriptions.update({ ...current, ...change });
      return result;
    });
  }

  function fail(
    claimed: Subscription,
    error: string,
    retryAfterMs: number | null = null,
  ): Promise<RefreshResult> {
    // A shutdown is no failure of the feed: the next process fetches it at once.
    if (error === "stopped") {
      const { failures } = claimed;
      return conclude(claimed, { nextFetchAt: now() }, { kind: "failed", error, failures });
    }
    const failures = claimed.failures + 1;
    const nextFetchAt = nextFetchAfterFailure(now(), failures, retryAfterMs, random());
    const change = { lastError: error, failures, nextFetchAt };
    return conclude(claimed, change, { kind: "failed", error, failures });
  }

  function succeeded(): Partial<Subscription> {
    return {
      lastError: null,
      failures: 0,
      lastSucceededAt: now(),
      nextFetchAt: nextFetchAfterSuccess(now(), random()),
    };
  }

  /** Imports a feed that was read for this zone. */
  async function importRead(
    claimed: Subscription,
    read: FeedReadResult,
    timeZone: string,
    { acceptShrink = false }: RefreshOptions = {},
  ): Promise<RefreshResult> {
    if (read.kind === "failed") return fail(claimed, read.error, read.retryAfterMs);
    if (read.kind === "unchanged") return conclude(claimed, succeeded(), { kind: "unchanged" });
    const { feed, etag, lastModified } = read;
    const finish = async (records: EventsRecords, imported: ImportedFeed) => {
      const { summary, warning, needsFullRead } = imported;
      const current = await findClaimed(records, claimed);
      if (current === null) throw new Error("A claim was lost within a transaction");
      await records.subscriptions.update({
        ...current,
        ...succeeded(),
        etag: needsFullRead ? null : etag,
        lastModified: needsFullRead ? null : lastModified,
        warning,
        entryCount: feed.counts.kept,
        report: JSON.stringify({
          importedAt: now(),
          timeZone,
          summary,
        } satisfies SubscriptionReport),
      });
    };
    const imported = await importFeed({
      store,
      accountId: claimed.accountId,
      sourceId: claimed.sourceId,
      feed,
      options: { mode: "subscription", now: now(), acceptShrink },
      now,
      mayWrite: async (records) => (await findClaimed(records, claimed)) !== null,
      finish,
    });
    if (imported.kind === "superseded") return imported;
    return { kind: "imported", summary: imported.summary, warning: imported.warning };
  }

  return {
    readTimeZone,
    importRead,
    fail,
    async refresh(claimed: Subscription, options: RefreshOptions = {}): Promise<RefreshResult> {
      const url = cipher.open(claimed.accountId, claimed.sealedUrl);
      if (url === null) return fail(claimed, "address-lost");
      const timeZone = await readTimeZone(claimed.accountId);
      const isFull = options.acceptShrink === true || isFullReadDue(claimed, timeZone, now());
      const read = await readFeed({
        ...claimed,
        url,
        timeZone,
        ...(!isFull && { known: claimed }),
        ...(options.stop !== undefined && { stop: options.stop }),
      });
      return importRead(claimed, read, timeZone, options);
    },
  };
}

/** Dates depend on the account's zone, and series on the window around now. */
function isFullReadDue({ report }: Subscription, timeZone: string, now: number): boolean {
  const last = readReport(report);
  if (last === null || last.timeZone !== timeZone) return true;
  return now - last.importedAt >= FULL_READ_INTERVAL_MS;
}

/** The current row, or null when the claim is lost. */
async function findClaimed(
  { subscriptions }: EventsRecords,
  claimed: Subscription,
): Promise<Subscription | null> {
  const current = await subscriptions.find(claimed.sourceId);
  const isOurs =
    current?.nextFetchAt === claimed.nextFetchAt && current.lastFetchedAt === claimed.lastFetchedAt;
  return isOurs ? current : null;
}

/** The JSON in `Subscription.report`: when the feed was last read in full, and for which zone. */
interface SubscriptionReport {
  readonly importedAt: number;
  readonly timeZone: string;
  readonly summary: ImportSummary;
}

export function readReport(text: string | null): SubscriptionReport | null {
  return text === null ? null : (JSON.parse(text) as SubscriptionReport);
}
