/**
 * The cookies of a browser. The session cookie names a signed-in session; the browser cookie names the
 * browser, to which sign-ins and authorization requests are bound, and ends with it; the known-browser
 * cookie has the tokens of the accounts that signed in here.
 */
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from "../contract/events/values.ts";
import type { RawRequest, RequestContext } from "../http/request.ts";
import {
  confirmBrowser,
  KNOWN_BROWSER_SECONDS,
  rememberBrowser,
} from "../identity/known-browsers.ts";
import { hashSecret } from "../identity/one-time-secrets.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { BrowserSession, EventsRecords, EventsStore } from "./store.ts";

type BrowserRequest = Pick<RequestContext, "method" | "header">;

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

export interface BrowserSessionSettings {
  readonly store: EventsStore;
  readonly isHttps: boolean;
  readonly randomBytes: RandomBytes;
  now(): number;
}

/** Spares a write for most pages. */
const TOUCH_INTERVAL_MS = 10 * 60_000;

export function createBrowserSessions(settings: BrowserSessionSettings) {
  const { store, now } = settings;
  const sessionCookie = createCookie("trellis-events-session", settings.isHttps);
  const browserCookie = createCookie("trellis-events-browser", settings.isHttps);
  const knownCookie = createCookie("trellis-events-known", settings.isHttps, KNOWN_VALUE);
  const createId = () => encodeBase64Url(settings.randomBytes(32));
  const readSessionHash = (request: BrowserRequest) => {
    const id = sessionCookie.read(request);
    return id === null ? null : hashSecret(id);
  };

  return {
    /** Extends the session and confirms the known browser, except for HEAD. */
    async find(request: BrowserRequest): Promise<BrowserSession | null> {
      const hash = readSessionHash(request);
      const at = now();
      const session = hash === null ? null : await store.findSession(hash, at);
      if (session === null || request.method === "HEAD") return session;
      const idleExpiresAt = at + SESSION_IDLE_SECONDS * 1000;
      if (idleExpiresAt - session.idleExpiresAt >= TOUCH_INTERVAL_MS) {
        const known = knownCookie.read(request);
        await store.transaction(async ({ sessions, identity }) => {
          await sessions.touch(session.sessionHash, idleExpiresAt);
          await confirmBrowser(identity, known, session.accountId, at);
        });
      }
      return session;
    },
    /**
     * Closes the session of the request, which prevents session fixation, and makes the browser a
     * known one. Returns the cookies.
     */
    async open(
      { sessions, identity }: Pick<EventsRecords, "sessions" | "identity">,
      accountId: string,
      request: BrowserRequest,
    ): Promise<string[]> {
      const old = readSessionHash(request);
      if (old !== null) await sessions.close(old);
      const id = createId();
      const at = now();
      await sessions.open({
        sessionHash: hashSecret(id),
        accountId,
        createdAt: at,
        idleExpiresAt: at + SESSION_IDLE_SECONDS * 1000,
        absoluteExpiresAt: at + SESSION_ABSOLUTE_SECONDS * 1000,
      });
      const given = knownCookie.read(request);
      const known = await rememberBrowser(identity, given, accountId, at, settings.randomBytes);
      return [
        sessionCookie.write(id, `Max-Age=${SESSION_ABSOLUTE_SECONDS}; `),
        knownCookie.write(known, `Max-Age=${KNOWN_BROWSER_SECONDS}; `),
      ];
    },
    /** Returns the cookie. The browser stays a known one. */
    async close(request: BrowserRequest): Promise<string> {
      const hash = readSessionHash(request);
      if (hash !== null) await store.transaction(({ sessions }) => sessions.close(hash));
      return sessionCookie.write("", "Max-Age=0; ");
    },
    /** Where a sign-in comes from. */
    readSignInOrigin: (request: Pick<RequestContext, "header" | "clientAddress">) => ({
      address: request.clientAddress(),
      knownBrowser: knownCookie.read(request),
    }),
    /** The value of the browser cookie; empty without one. */
    readBrowser: (request: BrowserRequest) => browserCookie.read(request) ?? "",
    /** The same, or a new value with the cookie. */
    ensureBrowser(request: BrowserRequest): { browser: string; cookies: string[] } {
      const known = browserCookie.read(request);
      if (known !== null) return { browser: known, cookies: [] };
      const browser = createId();
      return { browser, cookies: request.method === "HEAD" ? [] : [browserCookie.write(browser)] };
    },
  };
}

const VALUE = /^[A-Za-z0-9_-]{43}$/;
const KNOWN_VALUE = /^[A-Za-z0-9_.-]{43,512}$/;

/** RFC 6265bis 4.1.3.2: only this host, and only over TLS, can set a cookie with the `__Host-` prefix. */
function createCookie(plainName: string, isHttps: boolean, pattern = VALUE) {
  const name = `${isHttps ? "__Host-" : ""}${plainName}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
  return {
    /** Null when it is absent, malformed or repeated: then another site may have set one. */
    read(request: Pick<RawRequest, "header">): string | null {
      // Splits where browsers do. A comma, or a space beyond ASCII, may be part of another cookie.
      const found = (request.header("cookie") ?? "")
        .split(";")
        .map((pair) => pair.replace(/^[ \t]+/, ""))
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      const [value = ""] = found;
      return found.length === 1 && pattern.test(value) ? value : null;
    },
    /** Without `Max-Age` the cookie ends with the browser. */
    write: (value: string, maxAge = "") => `${name}=${value}; ${maxAge}${attributes}`,
  };
}
