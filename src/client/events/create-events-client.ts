/** The events client: connects to a compatible service and fetches its events. */
import {
  beginLogin,
  completeLogin,
  type LoginBegun,
  type LoginResult,
  type PendingLogin,
} from "./login.ts";
import { readEventsSettings, type EventsClientOptions } from "./settings.ts";
import { syncEvents, type EventsSync, type EventsSyncRequest } from "./sync-events.ts";

export interface EventsClient {
  beginLogin(): Promise<LoginBegun>;
  /** With the whole address that the browser came back to. */
  completeLogin(
    callbackUrl: string,
    pending: PendingLogin,
    options?: { readonly signal?: AbortSignal },
  ): Promise<LoginResult>;
  /** Never throws for what a service, a network or a clock does. */
  syncEvents(request: EventsSyncRequest): Promise<EventsSync>;
}

export function createEventsClient(options: EventsClientOptions): EventsClient {
  const settings = readEventsSettings(options);
  return {
    beginLogin: () => beginLogin(settings),
    completeLogin: (callbackUrl, pending, { signal } = {}) =>
      completeLogin(settings, callbackUrl, pending, signal),
    syncEvents: (request) => syncEvents(settings, request),
  };
}
