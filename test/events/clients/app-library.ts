/** An app on an OAuth library, reduced to what all libraries can do. */
import type { EventList } from "../../../src/contract/events/schemas.ts";

export interface AppSettings {
  /** The origin of the service, which is its issuer. */
  readonly origin: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

export interface AppLibrary {
  readonly name: string;
  /** What the library reports of a denial and of a used code. */
  readonly sees: { readonly denied: string; readonly replayed: string };
  /** Whether the library refuses a response of another issuer (RFC 9207). */
  readonly checksIssuer: boolean;
  build(settings: AppSettings): Promise<App>;
}

export interface App {
  begin(): Promise<Attempt>;
  /** Throws unless the response is a success. */
  readEvents(accessToken: string): Promise<EventList>;
  /** Absent where the library has no token revocation. */
  revoke?(accessToken: string): Promise<void>;
  /** The words of `sees` in what was thrown. */
  explain(error: unknown): string;
}

export interface Attempt {
  /** The authorization URL. */
  readonly address: string;
  /** Redeems the code of a redirect for an access token. */
  finish(callback: URL): Promise<string>;
}

export const SCOPE = "read:events";

/** For libraries that only return the token. */
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
