/** Wrong and right proofs of the password, by a browser that may be known. */
import { beginSignIn, type Ask } from "../sync-client.ts";
import { signInOptions } from "./sync-service.ts";

export const KNOWN_BROWSER = "Trellis-Known-Browser";
export const WRONG_PROOF = "A".repeat(43);

/** The status of a begin, or of a wrong proof after it. */
export async function guess(
  ask: Ask,
  given: Parameters<typeof signInOptions>[0] = {},
): Promise<number> {
  const begun = await beginSignIn(ask, signInOptions(given));
  return begun.kind === "refused"
    ? begun.response.status
    : (await begun.complete(WRONG_PROOF)).status;
}

export async function completeRightly(ask: Ask, knownBrowser?: string): Promise<Response> {
  const headers = knownBrowser === undefined ? {} : { [KNOWN_BROWSER]: knownBrowser };
  const begun = await beginSignIn(ask, signInOptions({ headers }));
  return begun.kind === "refused" ? begun.response : begun.complete();
}
