/** An app that is built on a library, reduced to what every library can do. */
import type { EventList } from "../../../src/contract/events/schemas.ts";

export interface AppSettings {
  /** The origin of the service, which is its issuer. */
  readonly origin: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface AppLibrary {
  readonly name: string;
  /** What an app is told of a denial and of a code used before, in the library's words. */
  readonly sees: { readonly denied: string; readonly replayed: string };
  /** Whether the library itself refuses an answer that names another issuer (RFC 9207). */
  readonly checksIssuer: boolean;
  build(settings: AppSettings): Promise<App>;
}

export interface App {
  begin(): Promise<Attempt>;
  /** The answer of the service when it is a success; anything else is thrown. */
  readEvents(accessToken: string): Promise<EventList>;
  /** Absent where the library cannot give a token back. */
  revoke?(accessToken: string): Promise<void>;
  /** The words of `sees` in what was thrown. */
  explain(error: unknown): string;
}

export interface Attempt {
  /** Where the person's browser is sent, made by the library. */
  readonly address: string;
  /** What the library makes of the address to which the browser came back: an access token. */
  finish(callback: URL): Promise<string>;
}

export const SCOPE = "read:events";

/** For libraries that only bring the token. */
export async function fetchEvents(origin: string, accessToken: string): Promise<EventList> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return readList(await fetch(eventsUrl(origin), { headers }));
}

export function eventsUrl(origin: string): URL {
  return new URL("/api/events?limit=500", origin);
}

export async function readList(response: Response): Promise<EventList> {
  if (response.status !== 200) throw new Error(`Reading events failed with ${response.status}`);
  return (await response.json()) as EventList;
}
