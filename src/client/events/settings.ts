/** What an app tells its events client, checked once: a wrong setting is a bug and throws. */
import { randomBytes, type Bytes } from "../../rules/web-crypto.ts";
import type { Fetch } from "../transport/exchange-text.ts";
import { readLimits } from "../transport/limits.ts";
import { parseServiceOrigin } from "./parse-service-origin.ts";

export interface EventsClientOptions {
  /** What `parseServiceOrigin` made of the address that a person typed. */
  readonly origin: string;
  /** The id under which services know the app. */
  readonly clientId: string;
  /** To the letter as it is registered: `myapp://auth/callback`, `http://localhost:43823/callback`. */
  readonly redirectUri: string;
  /** Refuse a login that does not say which service it comes from; ours always does. */
  readonly issuerRequired?: boolean;
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Cryptographically strong. */
  readonly randomBytes?: (length: number) => Bytes;
  readonly limits?: Partial<EventsLimits>;
}

export interface EventsLimits {
  /** For one request, to the last byte of its answer. */
  readonly timeoutMs: number;
  /** Of one answer. */
  readonly maxAnswerBytes: number;
}

export const DEFAULT_EVENTS_LIMITS: EventsLimits = {
  // Events contract, Limits.
  timeoutMs: 15_000,
  // Fifty thousand events in one answer; a page of ours has a hundredth of that.
  maxAnswerBytes: 16 * 1024 * 1024,
};

export type EventsSettings = Required<Omit<EventsClientOptions, "limits">> & {
  readonly limits: EventsLimits;
};

export function readEventsSettings(options: EventsClientOptions): EventsSettings {
  const { clientId, redirectUri, issuerRequired = false } = options;
  const outcome = parseServiceOrigin(options.origin);
  if (outcome.kind === "refused") {
    throw wrong("origin", `is not one that parseServiceOrigin accepts (${outcome.reason})`);
  }
  if (clientId === "") throw wrong("clientId", "is empty");
  if (!URL.canParse(redirectUri) || redirectUri.includes("#")) {
    throw wrong("redirectUri", "must be a whole address without a fragment");
  }
  return {
    origin: outcome.origin,
    clientId,
    redirectUri,
    issuerRequired,
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: options.now ?? Date.now,
    randomBytes: options.randomBytes ?? randomBytes,
    limits: readLimits(DEFAULT_EVENTS_LIMITS, options.limits, wrong),
  };
}

function wrong(name: string, problem: string): TypeError {
  return new TypeError(`Cannot create the events client: ${name} ${problem}`);
}
