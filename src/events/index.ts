/** `trellis/events`: the events service with its pages and subscriptions. */
export { createEventsService, type EventsService } from "./service.ts";
export type { EventsNotice, EventsServiceOptions } from "./setup/options.ts";
export { openEventsStore } from "./sql/open-store.ts";
export type { FetchFeed } from "./subscriptions/fetch-feed.ts";
// The store port, and the types that an implementation of it needs.
export type * from "./store.ts";
export type * from "../identity/identity-records.ts";
export type * from "../identity/security-event.ts";
export { StorageUnavailableError } from "../database/database.ts";
