import {
  beginLogin,
  completeLogin,
  type BeginLoginResult,
  type LoginResult,
  type PendingLogin,
} from "./login.ts";
import { readEventsSettings, type EventsClientOptions } from "./settings.ts";
import { syncEvents, type EventsSyncRequest, type EventsSyncResult } from "./sync-events.ts";

export interface EventsClient {
  beginLogin(): Promise<BeginLoginResult>;
  /** `callbackUrl` is the whole address that the browser was redirected to. */
  completeLogin(
    callbackUrl: string,
    pending: PendingLogin,
    options?: { readonly signal?: AbortSignal },
  ): Promise<LoginResult>;
  syncEvents(request: EventsSyncRequest): Promise<EventsSyncResult>;
}

/** Throws on an invalid option; later failures are results. */
export function createEventsClient(options: EventsClientOptions): EventsClient {
  const settings = readEventsSettings(options);
  return {
    beginLogin: () => beginLogin(settings),
    completeLogin: (callbackUrl, pending, { signal } = {}) =>
      completeLogin(settings, callbackUrl, pending, signal),
    syncEvents: (request) => syncEvents(settings, request),
  };
}
