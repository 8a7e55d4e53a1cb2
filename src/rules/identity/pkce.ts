/** Proof Key for Code Exchange, method S256 (RFC 7636). */
import { CODE_CHALLENGE_PATTERN, CODE_VERIFIER_PATTERN } from "../../contract/identity.ts";
import { encodeBase64Url } from "../base64url.ts";
import { encodeUtf8, sha256 } from "../web-crypto.ts";

const CHALLENGE = new RegExp(CODE_CHALLENGE_PATTERN);
const VERIFIER = new RegExp(CODE_VERIFIER_PATTERN);

/** RFC 7636 4.2. */
export async function createCodeChallenge(verifier: string): Promise<string> {
  return encodeBase64Url(await sha256(encodeUtf8(verifier)));
}

/** RFC 7636 4.6; a verifier or a challenge outside the grammar never matches. */
export async function matchesCodeChallenge(verifier: string, challenge: string): Promise<boolean> {
  if (!VERIFIER.test(verifier) || !CHALLENGE.test(challenge)) return false;
  return (await createCodeChallenge(verifier)) === challenge;
}
