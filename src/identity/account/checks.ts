/**
 * The security checks of every request that uses or changes the ways in to an account, in their order.
 *
 * A sign-in: 1 `isSameOrigin`, 2 `readInteraction`, 3 the limits of `SignInAdmission`, 4 the throttle of the name and the
 * client, 5 the challenge, which is used up, 6 the proof or the signature.
 * A change: 1 `findSession`, 2 `isSameOrigin`, 3 `hasToken`, 4 `isFresh`, and 5 `changeInSession` in the transaction that changes.
 * A link: 1 `isSameOrigin`, 2 the link, which is used up in the transaction that grants.
 */
import {
  isFresh,
  type BrowserRequest,
  type BrowserSession,
  type BrowserSessionRecords,
  type RequestHeaders,
} from "../browser-sessions.ts";
import type { CsrfGuard } from "../csrf.ts";
import type { NoteSecurityEvent, SecurityLog } from "../security-log.ts";

export const SIGN_IN_AGAIN =
  "The sign-in is too old for this, or the attempt has expired; sign in again";

export interface CheckSettings<Records> {
  readonly csrf: CsrfGuard;
  readonly sessions: {
    find(request: BrowserRequest): Promise<BrowserSession | null>;
    readBrowser(request: BrowserRequest): string;
  };
  readonly security: SecurityLog<Records>;
  sessionsOf(records: Records): BrowserSessionRecords;
  now(): number;
}

export type SessionCheck =
  | { readonly kind: "signed-out" }
  /** The request did not come from a page of this session. */
  | { readonly kind: "forged"; readonly session: BrowserSession }
  /** The person signed in too long ago for such a change. */
  | { readonly kind: "not-fresh"; readonly session: BrowserSession }
  | { readonly kind: "verified"; readonly session: BrowserSession };

export function createAccountChecks<Records>(settings: CheckSettings<Records>) {
  const { csrf, sessions, security, sessionsOf, now } = settings;
  const hasToken = (token: string, { sessionHash }: BrowserSession) =>
    csrf.isSessionToken(token, sessionHash);

  return {
    /** The interaction of a sign-in that began on a page in this browser; null for a forged request. */
    readInteraction(token: string, request: BrowserRequest): string | null {
      const browser = sessions.readBrowser(request);
      if (browser === "" || !isSameOrigin(request)) return null;
      return csrf.readSignInToken(token, browser);
    },

    /** What changes the ways in needs a fresh session. */
    async checkSession(
      token: string,
      request: BrowserRequest,
      needs: "session" | "fresh-session" = "session",
    ): Promise<SessionCheck> {
      const session = await sessions.find(request);
      if (session === null) return { kind: "signed-out" };
      if (!isSameOrigin(request) || !hasToken(token, session)) return { kind: "forged", session };
      return needs === "session" || isFresh(session, now())
        ? { kind: "verified", session }
        : { kind: "not-fresh", session };
    },

    /** Null, without a change, when the session has ended since it was found: by a new password, for example. */
    changeInSession<T>(
      { sessionHash }: Pick<BrowserSession, "sessionHash">,
      change: (records: Records, note: NoteSecurityEvent) => Promise<T>,
    ): Promise<T | null> {
      return security.transaction(async (records, note) =>
        (await sessionsOf(records).isLive(sessionHash, now())) ? change(records, note) : null,
      );
    },
  };
}

/** Reads Sec-Fetch-Site; `none` is a reload or a bookmark. Without the header only the token protects. */
export function isSameOrigin(request: RequestHeaders): boolean {
  const site = request.header("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}
