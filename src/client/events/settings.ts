import { parseServiceOrigin } from "../../rules/events/client/service-origin.ts";
import { randomBytes, type RandomBytes } from "../../rules/web-crypto.ts";
import { checkRedirectUri, globalFetch, readLimits } from "../transport/read-options.ts";
import type { Fetch } from "../transport/request-text.ts";

/** The settings of an events client: the address of the service and the registration of the app. */
export interface EventsClientOptions {
  /** The service's origin, as `parseServiceOrigin` returned it for the address that a person typed. */
  readonly origin: string;
  /** The app's client id at the service. */
  readonly clientId: string;
  /** The registered redirect URI: `myapp://auth/callback`, `http://localhost:43823/callback`. */
  readonly redirectUri: string;
  /** Refuse a callback without `iss` (RFC 9207); Trellis always sends it. */
  readonly issuerRequired?: boolean;
  /** Used in place of the global `fetch`. */
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The bytes must be cryptographically strong. */
  readonly randomBytes?: RandomBytes;
  /** What differs from the default limits. */
  readonly limits?: Partial<EventsLimits>;
}

/** How much time and how many bytes a request of an events client may take. */
export interface EventsLimits {
  /** The time limit of one request covers its response to the last byte. */
  readonly timeoutMs: number;
  /** A larger response is refused. */
  readonly maxResponseBytes: number;
}

/** The limits of an events client that has no `limits` of its own. */
export const DEFAULT_EVENTS_LIMITS: EventsLimits = {
  // Events contract, Limits.
  timeoutMs: 15_000,
  // Fifty thousand events; a page of Trellis has five hundred.
  maxResponseBytes: 16 * 1024 * 1024,
};

export type EventsSettings = Required<Omit<EventsClientOptions, "limits">> & {
  readonly limits: EventsLimits;
};

export function readEventsSettings(options: EventsClientOptions): EventsSettings {
  const { clientId, redirectUri, issuerRequired = false } = options;
  const parsed = parseServiceOrigin(options.origin);
  if (parsed.kind === "refused") {
    throw invalid("origin", `is not one that parseServiceOrigin accepts (${parsed.reason})`);
  }
  if (clientId === "") throw invalid("clientId", "is empty");
  checkRedirectUri(redirectUri, invalid);
  return {
    origin: parsed.origin,
    clientId,
    redirectUri,
    issuerRequired,
    fetch: options.fetch ?? globalFetch,
    now: options.now ?? Date.now,
    randomBytes: options.randomBytes ?? randomBytes,
    limits: readLimits(DEFAULT_EVENTS_LIMITS, options.limits, invalid),
  };
}

function invalid(name: string, detail: string): TypeError {
  return new TypeError(`Cannot create the events client: ${name} ${detail}`);
}
