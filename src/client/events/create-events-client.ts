import {
  beginLogin,
  completeLogin,
  type BeginLoginResult,
  type LoginResult,
  type PendingLogin,
} from "./login.ts";
import { readEventsSettings, type EventsClientOptions } from "./settings.ts";
import { syncEvents, type EventsSyncRequest, type EventsSyncResult } from "./sync-events.ts";

/**
 * Connects an app to an events service and reads a person's events. The app stores the token and the state
 * that it returns.
 */
export interface EventsClient {
  /** Gives the address to open in the browser, and what to store until the browser comes back. */
  beginLogin(): Promise<BeginLoginResult>;
  /** `callbackUrl` is the whole address that the browser was redirected to. */
  completeLogin(
    callbackUrl: string,
    pending: PendingLogin,
    options?: { readonly signal?: AbortSignal },
  ): Promise<LoginResult>;
  /** Fetches the events since the last sync, or all of them. */
  syncEvents(request: EventsSyncRequest): Promise<EventsSyncResult>;
}

/**
 * Makes a client of an events service. It throws on an invalid option; every later failure is a result.
 * @returns the client
 * @example
 * ```ts
 * import { createEventsClient, parseServiceOrigin, sortEvents } from "trellis/client";
 *
 * const address = parseServiceOrigin("planner.example.com");
 * if (address.kind === "refused") throw new Error(address.reason);
 * const client = createEventsClient({
 *   origin: address.origin,
 *   clientId: "my-app",
 *   redirectUri: "https://app.example.com/callback",
 * });
 * const login = await client.beginLogin();
 * if (login.kind === "begun") console.log("Open", login.authorizeUrl);
 *
 * export async function showEvents(accessToken: string): Promise<void> {
 *   const { events } = await client.syncEvents({ accessToken, state: null });
 *   for (const { title, date } of sortEvents(events)) console.log(date, title);
 * }
 * ```
 */
export function createEventsClient(options: EventsClientOptions): EventsClient {
  const settings = readEventsSettings(options);
  return {
    beginLogin: () => beginLogin(settings),
    completeLogin: (callbackUrl, pending, { signal } = {}) =>
      completeLogin(settings, callbackUrl, pending, signal),
    syncEvents: (request) => syncEvents(settings, request),
  };
}
