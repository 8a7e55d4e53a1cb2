import { createKeyedHash, type InstanceKey } from "./instance-key.ts";
import { isSameSecret } from "./one-time-secrets.ts";

export type CsrfGuard = ReturnType<typeof createCsrfGuard>;

/** Tokens are keyed hashes, so the store keeps nothing for them. `purpose` is that of the key. */
export function createCsrfGuard(instanceKey: InstanceKey, purpose: string) {
  const hash = createKeyedHash(instanceKey, purpose);
  const signInToken = (browser: string, interaction: string) =>
    `${interaction}.${hash("sign-in", browser, interaction)}`;

  return {
    /** The token in the forms of a signed-in session. */
    sessionToken: (sessionHash: string) => hash("session", sessionHash),
    isSessionToken: (token: string, sessionHash: string) =>
      isSameSecret(token, hash("session", sessionHash)),
    /** The token for one sign-in in one browser. */
    signInToken,
    /** The interaction of the token, or null when it is not one of this browser. */
    readSignInToken(token: string, browser: string): string | null {
      const interaction = token.slice(0, Math.max(0, token.lastIndexOf(".")));
      return isSameSecret(token, signInToken(browser, interaction)) ? interaction : null;
    },
    passwordInteraction: (sessionHash: string) => hash("password", sessionHash),
  };
}
