/** One account with a store, a settable clock and a settable feed. */
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import type { EventsStore, StoredEvent, Subscription } from "../../../src/events/store.ts";
import type { SubscriptionFields } from "../../../src/events/pages.ts";
import type { SubscriptionsOptions } from "../../../src/events/subscriptions/dependencies.ts";
import {
  createSubscriptions,
  type Subscriptions,
} from "../../../src/events/subscriptions/subscriptions.ts";
import type { StoreKind } from "../../database/on-both-stores.ts";
import { createPlace, type EventsPlace } from "../store/on-both-stores.ts";
import { addAccount } from "../store/samples.ts";
import { serveFeed, type FeedServer } from "./https-server.ts";

export const START = Date.UTC(2026, 8, 1, 12);
export const HOUR_MS = 3_600_000;

/** The next response of the server. */
export interface FeedState {
  body: string | Buffer;
  status: number;
  etag: string | null;
  headers: Record<string, string>;
  /** Awaited before each response. */
  before: () => Promise<void>;
}

export interface Instance {
  readonly place: EventsPlace;
  readonly store: EventsStore;
  readonly accountId: string;
  readonly server: FeedServer;
  readonly feed: FeedState;
  readonly clock: { now: number };
  readonly subscriptions: Subscriptions;
  /** Like in another process. */
  connect(store: EventsStore, options?: Partial<SubscriptionsOptions>): Subscriptions;
  fields(given?: Partial<SubscriptionFields>): SubscriptionFields;
  /** Subscribes to the feed; returns the id of the source. */
  subscribe(given?: Partial<SubscriptionFields>): Promise<string>;
  /** Late enough for another manual fetch. */
  refresh(sourceId: string, afterMs?: number): Promise<string>;
  find(sourceId: string): Promise<Subscription>;
  /** All events of the source, tombstones included. */
  stored(sourceId: string): Promise<StoredEvent[]>;
  /** Titles of live events, sorted. */
  titles(sourceId: string): Promise<(string | null)[]>;
}

export async function startInstance(t: TestContext, kind: StoreKind = "SQLite"): Promise<Instance> {
  const place = await createPlace(t, kind);
  const store = await place.open();
  const accountId = await addAccount(store, "ada");
  const clock = { now: START };
  const feed: FeedState = {
    body: "",
    status: 200,
    etag: null,
    headers: {},
    before: () => Promise.resolve(),
  };
  const server = await serveFeed(t, (request, response) => {
    void feed.before().then(() => {
      const { etag } = feed;
      if (etag !== null) response.setHeader("ETag", etag);
      const isSame = etag !== null && request.headers["if-none-match"] === etag;
      response.writeHead(isSame ? 304 : feed.status, feed.headers);
      response.end(isSame ? undefined : feed.body);
    });
  });
  const instanceKey = createInstanceKey(randomBytes(32));
  const connect = (store: EventsStore, options: Partial<SubscriptionsOptions> = {}) =>
    createSubscriptions({
      store,
      instanceKey,
      randomBytes: (length) => Uint8Array.from(randomBytes(length)),
      fetchFeed: server.fetcher(),
      defaultTimeZone: "UTC",
      now: () => clock.now,
      random: () => 0,
      ...options,
    });
  const subscriptions = connect(store);
  const fields = (given: Partial<SubscriptionFields> = {}): SubscriptionFields => ({
    url: `${server.origin}/secret-address.ics`,
    name: "",
    defaultType: "",
    rules: "",
    ...given,
  });
  const stored = (sourceId: string) =>
    store.transaction(({ events }) => events.listSource(accountId, sourceId));

  return {
    place,
    store,
    accountId,
    server,
    feed,
    clock,
    subscriptions,
    connect,
    fields,
    stored,
    async subscribe(given) {
      const result = await subscriptions.subscribe(accountId, fields(given));
      if (result.kind === "refused") throw new Error(JSON.stringify(result.error));
      return result.sourceId;
    },
    async refresh(sourceId, afterMs = HOUR_MS) {
      clock.now += afterMs;
      const result = await subscriptions.refresh(accountId, sourceId);
      if (result.kind !== "refused") return result.kind;
      const { error } = result;
      return error.kind === "fetch-failed" ? error.code : error.kind;
    },
    async find(sourceId) {
      const found = await store.transaction(({ subscriptions }) => subscriptions.find(sourceId));
      if (found === null) throw new Error("There is no such subscription");
      return found;
    },
    async titles(sourceId) {
      const events = await stored(sourceId);
      return events
        .filter(({ deletedAt }) => deletedAt === null)
        .map(({ title }) => title)
        .sort();
    },
  };
}
