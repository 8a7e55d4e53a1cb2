/** An events service behind a real listener, with a clock that the test sets. */
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { composeEventsService } from "../../../src/events/service.ts";
import type { ComposedEventsOptions } from "../../../src/events/setup/options.ts";
import type { EventsRecords, EventsStore } from "../../../src/events/store.ts";
import type { EventSubscriptions } from "../../../src/events/subscriptions/subscriptions.ts";
import { listen } from "../../../src/http/listen.ts";
import type { RequestLogEntry } from "../../../src/http/request-log.ts";
import { createStorageMonitor } from "../../../src/database/storage-monitor.ts";
import type { EventsNotice } from "../../../src/events/index.ts";
import { createInstanceKey, type InstanceKey } from "../../../src/identity/instance-key.ts";
import type { StoreKind } from "../../database/on-both-stores.ts";
import { LOOPBACK_LIMITS } from "../../fixtures/listen-limits.ts";
import type { TestAccount } from "../../fixtures/password-keys.ts";
import { addEventsAccount } from "../add-account.ts";
import { createPlace, type EventsPlace } from "../store/on-both-stores.ts";
import { createPlainPages } from "./plain-pages.ts";
import { createTestBrowser, type TestBrowser } from "./test-browser.ts";

export const START = Date.UTC(2026, 7, 21, 10);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const BASE_URL = "http://localhost:4821";
export const OLIVE = { username: "olive", password: "correct horse battery staple" };
export const PIET = { username: "piet", password: "another long enough password" };
export const APP = {
  id: "demo",
  name: "Demo app",
  redirectUris: ["demo-app://auth/callback", "http://localhost:43823/callback"],
};
export const OTHER_APP = {
  id: "other",
  name: "Other app",
  redirectUris: ["https://other.example.com/callback?from=events"],
};

export interface InstanceOptions extends Partial<ComposedEventsOptions> {
  readonly instanceKey?: InstanceKey;
  readonly kind?: StoreKind;
  readonly place?: EventsPlace;
  /** Defaults to olive. */
  readonly accounts?: readonly TestAccount[];
  /** Whether the base URL is the address of the listener. */
  readonly isAtOwnAddress?: boolean;
  /** The loopback host of that address. */
  readonly ownHost?: "127.0.0.1" | "localhost";
  /** Wraps the store of the service. */
  wrapStore?(store: EventsStore): EventsStore;
}

export interface EventsInstance {
  readonly place: EventsPlace;
  readonly store: EventsStore;
  readonly clock: { now: number };
  readonly log: RequestLogEntry[];
  readonly notices: EventsNotice[];
  readonly accountIds: ReadonlyMap<string, string>;
  readonly port: number;
  readonly origin: string;
  /** Follows no redirect. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  createBrowser(): TestBrowser;
}

const INSTANCE_KEY = createInstanceKey(randomBytes(32));

/** A `wrapStore` that replaces methods of some records inside every transaction. */
export function replaceRecords(
  replace: (records: EventsRecords) => Partial<EventsRecords>,
): (store: EventsStore) => EventsStore {
  return (store) => ({
    ...store,
    transaction: (work) =>
      store.transaction((records) => work({ ...records, ...replace(records) })),
  });
}

export async function startInstance(
  t: Pick<TestContext, "after">,
  options: InstanceOptions = {},
): Promise<EventsInstance> {
  const place = options.place ?? (await createPlace(t, options.kind ?? "SQLite"));
  const store = await place.open();
  const clock = { now: START };
  const now = () => clock.now;
  const { instanceKey = INSTANCE_KEY } = options;
  const accountIds = new Map<string, string>();
  for (const account of options.accounts ?? [OLIVE]) {
    const accountId = await addEventsAccount(store, instanceKey, account, clock.now);
    if (accountId !== null) accountIds.set(account.username, accountId);
  }
  const log: RequestLogEntry[] = [];
  const notices: EventsNotice[] = [];
  const onNotice = (notice: EventsNotice) => void notices.push(notice);
  const { wrapStore = (inner: EventsStore) => inner, isAtOwnAddress = false, ...rest } = options;
  const { ownHost = "127.0.0.1" } = options;
  const listener = await listen(
    {
      respond: (request) => service.http.respond(request),
      protocolErrorResponse: (error, cause) => service.http.protocolErrorResponse(error, cause),
    },
    {
      host: "127.0.0.1",
      port: 0,
      limits: LOOPBACK_LIMITS,
    },
  );
  t.after(() => listener.stop());
  const origin = `http://127.0.0.1:${listener.port}`;
  const service = composeEventsService({
    instanceKey,
    baseUrl: isAtOwnAddress ? `http://${ownHost}:${listener.port}` : BASE_URL,
    serviceName: "Planner",
    clients: [APP, OTHER_APP],
    subscriptions: NO_SUBSCRIPTIONS,
    pages: createPlainPages,
    trustedProxies: ["127.0.0.1"],
    log: (entry) => log.push(entry),
    storage: createStorageMonitor({ probe: () => store.probeWrite(now()), onNotice }),
    onNotice,
    now,
    ...rest,
    store: wrapStore(store),
  });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { redirect: "manual", ...init });
  return {
    place,
    store,
    clock,
    log,
    notices,
    accountIds,
    port: listener.port,
    origin,
    ask,
    createBrowser: () => createTestBrowser(ask),
  };
}

const NO_SUBSCRIPTIONS: EventSubscriptions = {
  preview: async () => ({ kind: "refused", error: { kind: "url-invalid" } }),
  subscribe: async () => ({ kind: "refused", error: { kind: "url-invalid" } }),
  save: async () => ({ kind: "refused", error: { kind: "not-found" } }),
  refresh: async () => ({ kind: "refused", error: { kind: "not-found" } }),
  unsubscribe: async () => ({ kind: "refused", error: { kind: "not-found" } }),
  list: async () => [],
  findSettings: async () => null,
};
