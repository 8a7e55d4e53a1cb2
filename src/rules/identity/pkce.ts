/** Proof Key for Code Exchange, method S256 (RFC 7636). */
import { CODE_VERIFIER_PATTERN } from "../../contract/identity.ts";
import { encodeBase64Url } from "../base64url.ts";
import { encodeUtf8, sha256 } from "../web-crypto.ts";

/** The pattern is pure, so that bundlers leave it out of a client, which only makes challenges. */
const VERIFIER = /* @__PURE__ */ new RegExp(CODE_VERIFIER_PATTERN);

/** RFC 7636 4.2. */
export async function createCodeChallenge(verifier: string): Promise<string> {
  return encodeBase64Url(await sha256(encodeUtf8(verifier)));
}

/** RFC 7636 4.6: the challenge to compare; null, which equals none, for a verifier outside the grammar. */
export async function readCodeVerifier(verifier: string): Promise<string | null> {
  return VERIFIER.test(verifier) ? createCodeChallenge(verifier) : null;
}
