/** `trellis/events`: the events service with its pages and subscriptions. */
export { createEventsService, type EventsService } from "./service.ts";
export type { EventsNotice, EventsServiceOptions } from "./setup/options.ts";
export { openEventsStore } from "./sql/open-store.ts";
export type { EventsStore } from "./store.ts";
export type { FetchFeed } from "./subscriptions/fetch-feed.ts";
export type { SecurityEvent, SecurityEventKind } from "../identity/security-event.ts";
export { StorageUnavailableError } from "../database/database.ts";
