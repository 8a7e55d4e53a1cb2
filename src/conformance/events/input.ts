/** What a run against an events service is told. */

/** `contract`: what every compatible service must do. `trellis`: also what Trellis promises beside it. */
export const EVENTS_LEVELS = ["contract", "trellis"] as const;
export type EventsLevel = (typeof EVENTS_LEVELS)[number];

export interface EventsInput {
  /** Where the service is asked. */
  readonly baseUrl: string;
  /** `contract` unless told. */
  readonly level?: EventsLevel;
  /** A client that the service knows; without one only the list of events can be tested. */
  readonly clientId?: string;
  /** One of the client's redirect URIs; the default is that of apps on a desktop. */
  readonly redirectUri?: string;
  /** The base URL the service is set up with, when that is not where it is asked. */
  readonly publicUrl?: string;
  /** Reads the events with it instead of with a token of the run's own. */
  readonly accessToken?: string;
  /** An account, for services that have the sign-in and consent pages of Trellis. */
  readonly account?: { readonly username: string; readonly password: string };
  /**
   * A person with a browser, for every other service: opens the address, allows what is asked, and
   * answers the address that the browser was sent to.
   */
  readonly allow?: (address: string) => Promise<string>;
}

export const DEFAULT_REDIRECT_URI = "http://localhost:43823/callback";
