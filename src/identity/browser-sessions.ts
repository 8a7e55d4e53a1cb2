/**
 * Sessions of browsers on the pages of a service, by cookies: the session cookie names a signed-in
 * session; the browser cookie names the browser, to which sign-ins are bound, and ends with it.
 */
import { FRESH_SESSION_SECONDS } from "../contract/passkey.ts";
import type { BrowserName } from "../contract/identity.ts";
import { readUserAgent } from "../rules/identity/read-user-agent.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import { createSecret } from "../rules/create-secret.ts";
import { hashSecret, isSecret } from "./one-time-secrets.ts";

/** The part of a request that has its headers, by lower-case names. */
export interface RequestHeaders {
  header(name: string): string | null;
}

/**
 * The sign-in of a browser on the pages of a service. The browser's cookie has the id, the store its hash.
 */
export interface BrowserSession extends BrowserName {
  /** SHA-256 of the cookie, in Base64URL. */
  readonly sessionHash: string;
  /** The account that signed in. */
  readonly accountId: string;
  /** The present name of the account. */
  readonly username: string;
  /** The time of the sign-in, in milliseconds since 1970. */
  readonly createdAt: number;
  /** The session ends then unless it is used. */
  readonly idleExpiresAt: number;
  /** The session ends then in any case. */
  readonly absoluteExpiresAt: number;
}

/** Whether the person signed in recently: what changes the ways in asks for more than an open session. */
export function isFresh({ createdAt }: Pick<BrowserSession, "createdAt">, now: number): boolean {
  // A clock that was set back would keep a session fresh for as long as it went back.
  return Math.abs(now - createdAt) < FRESH_SESSION_SECONDS * 1000;
}

/** The sign-ins of browsers in a transaction of a store: opening, extending and closing them. */
export interface BrowserSessionRecords {
  /** Whether there is such a session that is live at `now`. */
  isLive(sessionHash: string, now: number): Promise<boolean>;
  /** Adds a session. */
  open(session: Omit<BrowserSession, "username">): Promise<void>;
  /** Moves the time at which the session ends unless it is used. */
  touch(sessionHash: string, idleExpiresAt: number): Promise<void>;
  /** Returns whether there was such a session. */
  close(sessionHash: string): Promise<boolean>;
  /** The sessions of an account that are live at `now`, newest first. */
  list(accountId: string, now: number): Promise<Omit<BrowserSession, "username">[]>;
  /** Returns how many sessions there were. */
  closeAll(accountId: string): Promise<number>;
}

export interface BrowserRequest extends RequestHeaders {
  readonly method: string;
}

export interface BrowserSessionSettings<Records> {
  readonly store: {
    transaction<T>(work: (records: Records) => Promise<T>): Promise<T>;
    /** A session that is live at `now`. */
    findSession(sessionHash: string, now: number): Promise<BrowserSession | null>;
  };
  /** The name of the service in the names of the cookies: `trellis-events`. */
  readonly name: string;
  readonly isHttps: boolean;
  readonly sameSite: "Strict" | "Lax";
  readonly idleSeconds: number;
  readonly absoluteSeconds: number;
  readonly randomBytes: RandomBytes;
  now(): number;
  recordsOf(records: Records): BrowserSessionRecords;
  /** Called in the transaction that extends a session. */
  onExtend?(records: Records, session: BrowserSession, request: BrowserRequest): Promise<void>;
}

/** The interval spares a write for most pages. */
const TOUCH_INTERVAL_MS = 10 * 60_000;

export function createBrowserSessions<Records>(settings: BrowserSessionSettings<Records>) {
  const { store, name, isHttps, sameSite, randomBytes, now, recordsOf } = settings;
  const sessionCookie = createCookie({ name: `${name}-session`, isHttps, sameSite });
  const browserCookie = createCookie({ name: `${name}-browser`, isHttps, sameSite });
  const readSessionHash = (request: BrowserRequest) => {
    const id = sessionCookie.read(request);
    return id === null ? null : hashSecret(id);
  };

  return {
    /** Extends the session, except for HEAD. */
    async find(request: BrowserRequest): Promise<BrowserSession | null> {
      const hash = readSessionHash(request);
      const at = now();
      const session = hash === null ? null : await store.findSession(hash, at);
      if (session === null || request.method === "HEAD") return session;
      const idleExpiresAt = at + settings.idleSeconds * 1000;
      if (idleExpiresAt - session.idleExpiresAt >= TOUCH_INTERVAL_MS) {
        await store.transaction(async (records) => {
          await recordsOf(records).touch(session.sessionHash, idleExpiresAt);
          await settings.onExtend?.(records, session, request);
        });
      }
      return session;
    },
    /** Closes the session of the request, which prevents session fixation. Returns the cookie. */
    async open(records: Records, accountId: string, request: BrowserRequest): Promise<string> {
      const sessions = recordsOf(records);
      const old = readSessionHash(request);
      if (old !== null) await sessions.close(old);
      const id = createSecret(randomBytes);
      const at = now();
      await sessions.open({
        sessionHash: hashSecret(id),
        accountId,
        createdAt: at,
        idleExpiresAt: at + settings.idleSeconds * 1000,
        absoluteExpiresAt: at + settings.absoluteSeconds * 1000,
        ...readUserAgent(request.header("user-agent")),
      });
      return sessionCookie.write(id, `Max-Age=${settings.absoluteSeconds}; `);
    },
    /** Returns the cookie. */
    async close(request: BrowserRequest): Promise<string> {
      const hash = readSessionHash(request);
      if (hash !== null) await store.transaction((records) => recordsOf(records).close(hash));
      return sessionCookie.write("", "Max-Age=0; ");
    },
    /** The value of the browser cookie; empty without one. */
    readBrowser: (request: BrowserRequest) => browserCookie.read(request) ?? "",
    /** Returns the value of the browser cookie, or a new value with its cookie. */
    ensureBrowser(request: BrowserRequest): { browser: string; cookies: string[] } {
      const known = browserCookie.read(request);
      if (known !== null) return { browser: known, cookies: [] };
      const browser = createSecret(randomBytes);
      return { browser, cookies: request.method === "HEAD" ? [] : [browserCookie.write(browser)] };
    },
  };
}

export interface CookieSettings {
  readonly name: string;
  readonly isHttps: boolean;
  readonly sameSite: "Strict" | "Lax";
  /** By default a value is one secret. */
  readonly isValue?: (text: string) => boolean;
}

/** No script reads the cookie. RFC 6265bis 4.1.3.2: only this host, over TLS, can set a `__Host-` cookie. */
export function createCookie({
  name: plain,
  isHttps,
  sameSite,
  isValue = isSecret,
}: CookieSettings) {
  const name = `${isHttps ? "__Host-" : ""}${plain}`;
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isHttps ? "; Secure" : ""}`;
  return {
    /** Null when it is absent, malformed or repeated: then another site may have set one. */
    read(request: RequestHeaders): string | null {
      // Splits where browsers do. A comma, or a space beyond ASCII, may be part of another cookie.
      const found = (request.header("cookie") ?? "")
        .split(";")
        .map((pair) => pair.replace(/^[ \t]+/, ""))
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      const [value = ""] = found;
      return found.length === 1 && isValue(value) ? value : null;
    },
    /** Without `Max-Age` the cookie ends with the browser. */
    write: (value: string, maxAge = "") => `${name}=${value}; ${maxAge}${attributes}`,
  };
}
