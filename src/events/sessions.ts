/** Signed-in browsers. */
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from "../contract/events/values.ts";
import type { RequestContext } from "../http/request-context.ts";
import { hashSecret } from "../identity/one-time-secrets.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { Cookies } from "./cookies.ts";
import type { BrowserSession, EventsRecords, EventsStore } from "./store.ts";

type Asking = Pick<RequestContext, "method" | "header">;

export interface Sessions {
  /** Whose browser asks. Being asked keeps a session alive, except by HEAD, which changes nothing. */
  find(context: Asking): Promise<BrowserSession | null>;
  /**
   * Opens a session under a new id and ends the one the browser came with: whoever planted that one
   * is not signed in by it. Answers the header that sets the cookie.
   */
  open(
    records: Pick<EventsRecords, "sessions">,
    accountId: string,
    context: Asking,
  ): Promise<Readonly<Record<string, string>>>;
  /** Ends the one the browser came with. */
  close(context: Asking): Promise<Readonly<Record<string, string>>>;
}

export interface SessionSettings {
  readonly store: EventsStore;
  readonly cookies: Cookies;
  readonly randomBytes: RandomBytes;
  now(): number;
}

const ID_BYTES = 32;
/** So that a person who reads page after page does not write with each. */
const TOUCH_INTERVAL_MS = 10 * 60_000;

export function createSessions({ store, cookies, randomBytes, now }: SessionSettings): Sessions {
  const hashOf = (context: Asking) => {
    const id = cookies.read(context, "session");
    return id === null ? null : hashSecret(id);
  };

  return {
    async find(context) {
      const hash = hashOf(context);
      const at = now();
      const session = hash === null ? null : await store.findSession(hash, at);
      if (session === null || context.method === "HEAD") return session;
      const idleExpiresAt = at + SESSION_IDLE_SECONDS * 1000;
      if (idleExpiresAt - session.idleExpiresAt >= TOUCH_INTERVAL_MS) {
        await store.transaction(({ sessions }) =>
          sessions.touch(session.sessionHash, idleExpiresAt),
        );
      }
      return session;
    },
    async open({ sessions }, accountId, context) {
      const old = hashOf(context);
      if (old !== null) await sessions.close(old);
      const id = encodeBase64Url(randomBytes(ID_BYTES));
      const at = now();
      await sessions.open({
        sessionHash: hashSecret(id),
        accountId,
        createdAt: at,
        idleExpiresAt: at + SESSION_IDLE_SECONDS * 1000,
        absoluteExpiresAt: at + SESSION_ABSOLUTE_SECONDS * 1000,
      });
      return cookies.set("session", id, SESSION_ABSOLUTE_SECONDS);
    },
    async close(context) {
      const hash = hashOf(context);
      if (hash !== null) await store.transaction(({ sessions }) => sessions.close(hash));
      return cookies.clear("session");
    },
  };
}
