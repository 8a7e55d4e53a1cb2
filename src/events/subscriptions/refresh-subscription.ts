/**
 * Fetches one subscription and imports it. Whoever does so holds a claim: the row says since when and
 * until when, and any change of it by somebody else takes the claim away, so that of two who work on
 * one subscription only the later one writes.
 */
import {
  FULL_READ_INTERVAL_MS,
  nextFetchAfterFailure,
  nextFetchAfterSuccess,
} from "../../rules/events/subscriptions/schedule.ts";
import { importFeed, type ImportResult } from "../import/import-feed.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventsRecords, EventsStore, Subscription } from "../store.ts";
import type { FeedReadResult, ReadFeed } from "./read-feed.ts";
import { readReport, writeReport } from "./subscription-report.ts";
import type { FeedUrlCipher } from "./url-vault.ts";

export type RefreshResult =
  | {
      readonly kind: "imported";
      readonly summary: ImportSummary;
      readonly warning: string | null;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly fault: string; readonly failures: number }
  /** Changed, ended or claimed by somebody else meanwhile. */
  | { readonly kind: "superseded" };

export interface RefreshOptions {
  /** A person has seen that the feed has less than half of what it had, and says it is right. */
  readonly acceptShrink?: boolean;
  readonly stop?: AbortSignal;
}

export interface RefreshSettings {
  readonly store: EventsStore;
  readonly vault: FeedUrlCipher;
  readonly readFeed: ReadFeed;
  /** For accounts that chose none. */
  readonly defaultTimeZone: string;
  now(): number;
  random(): number;
}

/** Longer than any fetch, reading and writing takes; then somebody else may try. */
const CLAIM_MS = 5 * 60_000;

/** Up to `limit` that are due, for the caller alone. */
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

/** A subscription as whoever fetches it out of turn must write it, in the transaction that read it. */
export function claim(subscription: Subscription, now: number): Subscription {
  return { ...subscription, nextFetchAt: now + CLAIM_MS, lastFetchedAt: now };
}

export interface Refresher {
  /** The zone of the account's clocks. */
  readZone(accountId: string): Promise<string>;
  refresh(claimed: Subscription, options?: RefreshOptions): Promise<RefreshResult>;
  /** Imports what was read just now, for clocks of that zone. */
  take(
    claimed: Subscription,
    outcome: FeedReadResult,
    timeZone: string,
    options?: RefreshOptions,
  ): Promise<RefreshResult>;
  /** Writes down that it went wrong. */
  fail(claimed: Subscription, fault: string, retryAfterMs?: number | null): Promise<RefreshResult>;
}

export function createRefresher(settings: RefreshSettings): Refresher {
  const { store, vault, readFeed, now, random } = settings;

  async function readZone(accountId: string): Promise<string> {
    const profile = await store.transaction(({ profiles }) => profiles.find(accountId));
    return profile?.timeZone ?? settings.defaultTimeZone;
  }

  /** Changes the row when the claim still holds. */
  function conclude(
    claimed: Subscription,
    change: Partial<Subscription>,
    outcome: RefreshResult,
  ): Promise<RefreshResult> {
    return store.transaction(async (records) => {
      const current = await findClaimed(records, claimed);
      if (current === null) return { kind: "superseded" };
      await records.subscriptions.update({ ...current, ...change });
      return outcome;
    });
  }

  function fail(
    claimed: Subscription,
    fault: string,
    retryAfterMs: number | null = null,
  ): Promise<RefreshResult> {
    // Not the feed's doing: whoever comes next takes it up where it was.
    if (fault === "stopped") {
      const change = { nextFetchAt: now() };
      return conclude(claimed, change, { kind: "failed", fault, failures: claimed.failures });
    }
    const failures = claimed.failures + 1;
    const nextFetchAt = nextFetchAfterFailure(now(), failures, retryAfterMs, random());
    const change = { lastFault: fault, failures, nextFetchAt };
    return conclude(claimed, change, { kind: "failed", fault, failures });
  }

  function rested(): Partial<Subscription> {
    return {
      lastFault: null,
      failures: 0,
      lastSucceededAt: now(),
      nextFetchAt: nextFetchAfterSuccess(now(), random()),
    };
  }

  async function take(
    claimed: Subscription,
    outcome: FeedReadResult,
    timeZone: string,
    { acceptShrink = false }: RefreshOptions = {},
  ): Promise<RefreshResult> {
    if (outcome.kind === "failed") return fail(claimed, outcome.fault, outcome.retryAfterMs);
    if (outcome.kind === "unchanged") return conclude(claimed, rested(), { kind: "unchanged" });
    const { feed, etag, lastModified } = outcome;
    const finish = async (records: EventsRecords, result: ImportResult) => {
      const { summary, warning, needsSecondLook } = result;
      const current = await findClaimed(records, claimed);
      if (current === null) throw new Error("A claim was lost within a transaction");
      await records.subscriptions.update({
        ...current,
        ...rested(),
        // "Unchanged" would be no second look at what is missing.
        etag: needsSecondLook ? null : etag,
        lastModified: needsSecondLook ? null : lastModified,
        warning,
        entryCount: feed.counts.kept,
        report: writeReport({ importedAt: now(), timeZone, summary }),
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
    readZone,
    take,
    fail,
    async refresh(claimed, options = {}) {
      const url = vault.open(claimed.accountId, claimed.sealedUrl);
      if (url === null) return fail(claimed, "address-lost");
      const timeZone = await readZone(claimed.accountId);
      const isFull = options.acceptShrink === true || isFullReadDue(claimed, timeZone, now());
      const outcome = await readFeed({
        ...claimed,
        url,
        timeZone,
        ...(!isFull && { known: claimed }),
        ...(options.stop !== undefined && { stop: options.stop }),
      });
      return take(claimed, outcome, timeZone, options);
    },
  };
}

/** Dates depend on the account's clocks, and series on how far is looked ahead. */
function isFullReadDue({ report }: Subscription, timeZone: string, now: number): boolean {
  const last = readReport(report);
  if (last === null || last.timeZone !== timeZone) return true;
  return now - last.importedAt >= FULL_READ_INTERVAL_MS;
}

/** As it is now (its name may have changed), or null when the claim is lost. */
async function findClaimed(
  { subscriptions }: EventsRecords,
  claimed: Subscription,
): Promise<Subscription | null> {
  const current = await subscriptions.find(claimed.sourceId);
  const isOurs =
    current?.nextFetchAt === claimed.nextFetchAt && current.lastFetchedAt === claimed.lastFetchedAt;
  return isOurs ? current : null;
}
