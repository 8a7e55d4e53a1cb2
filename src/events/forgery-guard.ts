/**
 * Tokens that only a page of this service can have put into a form, and the names of sign-ins. All
 * are keyed hashes, so nothing is kept for a page that nobody sends back.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { RawRequest } from "../http/request-context.ts";
import type { InstanceKey } from "../identity/instance-key.ts";

export interface CsrfGuard {
  /** For the forms of a signed-in session. */
  sessionToken(sessionHash: string): string;
  isSessionToken(token: string, sessionHash: string): boolean;
  /** For one sign-in in one browser; the token names the interaction it is for. */
  signInToken(browser: string, interaction: string): string;
  /** The interaction a token was made for, or null when it was not made for this browser. */
  readSignInToken(token: string, browser: string): string | null;
  /** What the proof of the current password is for when a session changes it. */
  passwordInteraction(sessionHash: string): string;
}

export function createCsrfGuard(instanceKey: InstanceKey): CsrfGuard {
  const key = instanceKey.derive("events/forms");
  const hash = (...parts: readonly string[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
  const signInToken = (browser: string, interaction: string) =>
    `${interaction}.${hash("sign-in", browser, interaction)}`;

  return {
    sessionToken: (sessionHash) => hash("session", sessionHash),
    isSessionToken: (token, sessionHash) => isSame(token, hash("session", sessionHash)),
    signInToken,
    readSignInToken(token, browser) {
      const interaction = token.slice(0, Math.max(0, token.lastIndexOf(".")));
      return isSame(token, signInToken(browser, interaction)) ? interaction : null;
    },
    passwordInteraction: (sessionHash) => hash("password", sessionHash),
  };
}

/**
 * Whether a browser says that another site's page made this request. Browsers that say nothing are
 * held by the token; `none` is a person's own doing, such as a reload.
 */
export function isCrossSite(source: Pick<RawRequest, "header">): boolean {
  const site = source.header("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
