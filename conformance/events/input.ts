/** `contract`: what every compatible service must do. `trellis`: also what Trellis adds. */
export const EVENTS_LEVELS = ["contract", "trellis"] as const;
/**
 * How much of an events service is tested. `contract`: what every compatible service must do. `trellis`:
 * also what Trellis adds.
 */
export type EventsLevel = (typeof EVENTS_LEVELS)[number];

/** The events service to test, and what the run needs to read events from it. */
export interface EventsInput {
  /** Where the run sends its requests. */
  readonly baseUrl: string;
  /** The level to test; `contract` when absent. */
  readonly level?: EventsLevel;
  /** A registered client; without one only the list of events can be tested. */
  readonly clientId?: string;
  /** One of the client's redirect URIs; the default is the redirect URI of apps on a desktop. */
  readonly redirectUri?: string;
  /** The configured base URL of the service; `baseUrl` when absent. */
  readonly publicUrl?: string;
  /** Reads the events with this token instead of a token that the run obtains. */
  readonly accessToken?: string;
  /** An account, for services that have the sign-in and consent pages of Trellis. */
  readonly account?: { readonly username: string; readonly password: string };
  /**
   * Lets a person open the address in a browser and consent, and resolves with the address that the
   * browser was redirected to. Services without the pages of Trellis need it.
   */
  readonly allow?: (address: string) => Promise<string>;
}
