import type { EventsRateLimits } from "../../contract/events/values.ts";
import type { StorageMonitor, StorageNotice } from "../../database/storage-monitor.ts";
import type { RequestLines, RequestLog } from "../../http/request-log.ts";
import type { RequestObserver } from "../../http/request-observer.ts";
import type { StoredServiceNotice } from "../../http/stored-service.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import type { SecurityNotice } from "../../identity/security-event.ts";
import type { RegisteredClient } from "../../rules/events/wire/authorization.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { EventsPages, EventsPageSettings } from "../pages.ts";
import type { EventsStore } from "../store.ts";
import type { FetchFeed } from "../subscriptions/fetch-feed.ts";
import type { SubscriptionNotice } from "../subscriptions/subscription-worker.ts";
import type { EventSubscriptions } from "../subscriptions/subscriptions.ts";

interface OptionsOfBoth {
  readonly store: EventsStore;
  /** 32 secret bytes, or a key that was opened from a file. */
  readonly instanceKey: Uint8Array | InstanceKey;
  /** An origin: https, or http on loopback. */
  readonly baseUrl: string;
  readonly serviceName: string;
  /** The apps that may request access. They are public clients, without a secret. */
  readonly clients: readonly RegisteredClient[];
  /** The time zone of accounts without one; defaults to UTC. */
  readonly timeZone?: string;
  readonly limits?: Partial<EventsRateLimits>;
  readonly trustedProxies?: readonly string[];
  readonly log?: RequestLog | RequestLines;
  /** What a program that keeps metrics or traces learns. */
  readonly observer?: RequestObserver;
  readonly now?: () => number;
  readonly randomBytes?: RandomBytes;
}

/**
 * The settings of an events service: its store, its secret key, its public address and the apps that may ask
 * for access.
 */
export interface EventsServiceOptions extends OptionsOfBoth {
  /** How the service fetches the calendars that people subscribe to. */
  readonly subscriptions?: {
    /** Hosts in private networks from which calendars may be fetched. */
    readonly allowedPrivateHosts?: readonly string[];
    /** Whether this process fetches due subscriptions; defaults to true. Several processes may. */
    readonly isFetching?: boolean;
    /** Replaces the fetch over the network and its address guard. */
    readonly fetchFeed?: FetchFeed;
  };
  /** Receives what an operator should know; by default it is dropped. */
  readonly onNotice?: (notice: EventsNotice) => void;
}

/** The options of a service whose pages and subscriptions are made already. */
export interface ComposedEventsOptions extends OptionsOfBoth {
  readonly subscriptions: EventSubscriptions;
  readonly pages: (settings: EventsPageSettings) => EventsPages;
  readonly storage: StorageMonitor;
  readonly onNotice?: (notice: StoredServiceNotice | SecurityNotice) => void;
}

/**
 * What an events service reports to `onNotice`: security events, subscriptions that fail, a full disk, and
 * unexpected errors.
 */
export type EventsNotice =
  | StoredServiceNotice
  | SubscriptionNotice
  | StorageNotice
  | SecurityNotice;
