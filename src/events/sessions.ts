/**
 * The sessions of the events pages. The known-browser cookie has the tokens of the accounts that signed
 * in from the browser.
 */
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from "../contract/events/values.ts";
import type { RequestContext } from "../http/request.ts";
import { createBrowserSessions, type BrowserRequest } from "../identity/browser-sessions.ts";
import { createCookie } from "../identity/cookie.ts";
import {
  confirmBrowser,
  KNOWN_BROWSER_SECONDS,
  rememberBrowser,
} from "../identity/known-browsers.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import type { EventsRecords, EventsStore } from "./store.ts";

export type EventsSessions = ReturnType<typeof createEventsSessions>;

export interface EventsSessionSettings {
  readonly store: EventsStore;
  readonly isHttps: boolean;
  readonly randomBytes: RandomBytes;
  now(): number;
}

/** Apps send people here from elsewhere, so the cookies come with links of other sites. */
const COOKIES = { name: "trellis-events", sameSite: "Lax" } as const;
const KNOWN_VALUE = /^[A-Za-z0-9_.-]{43,512}$/;

export function createEventsSessions(settings: EventsSessionSettings) {
  const { store, isHttps, randomBytes, now } = settings;
  const knownCookie = createCookie({
    ...COOKIES,
    name: `${COOKIES.name}-known`,
    isHttps,
    pattern: KNOWN_VALUE,
  });
  const sessions = createBrowserSessions<SessionRecords>({
    ...COOKIES,
    store,
    isHttps,
    idleSeconds: SESSION_IDLE_SECONDS,
    absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
    randomBytes,
    now,
    recordsOf: (records) => records.sessions,
    onExtend: ({ identity }, { accountId }, request) =>
      confirmBrowser(identity, knownCookie.read(request), accountId, now()),
  });

  return {
    ...sessions,
    /** Also makes the browser a known one, which it stays when the session is closed. */
    async open(
      records: SessionRecords,
      accountId: string,
      request: BrowserRequest,
    ): Promise<string[]> {
      const session = await sessions.open(records, accountId, request);
      const given = knownCookie.read(request);
      const { identity } = records;
      const known = await rememberBrowser(identity, given, accountId, now(), randomBytes);
      return [session, knownCookie.write(known, `Max-Age=${KNOWN_BROWSER_SECONDS}; `)];
    },
    /** Where a sign-in comes from. */
    readSignInOrigin: (request: Pick<RequestContext, "header" | "clientAddress">) => ({
      address: request.clientAddress(),
      knownBrowser: knownCookie.read(request),
    }),
  };
}

type SessionRecords = Pick<EventsRecords, "sessions" | "identity">;
