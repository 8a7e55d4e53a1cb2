import type { Static } from "typebox";
import type { NewVerifier } from "../contract/password-proof.ts";
import { decodeBase64Url } from "../rules/base64url.ts";
import {
  PASSWORD_ITERATIONS,
  PROOF_BYTES,
  SALT_BYTES,
  type PasswordVerifier,
} from "../rules/identity/scram.ts";

/** Null for an invalid verifier; other iterations would distinguish this account from unknown user names. */
export function readWireVerifier(given: Static<typeof NewVerifier>): PasswordVerifier | null {
  const { iterations } = given;
  const [salt, storedKey, serverKey] = [given.salt, given.storedKey, given.serverKey].map(
    decodeBase64Url,
  );
  const isValid =
    iterations === PASSWORD_ITERATIONS &&
    salt?.length === SALT_BYTES &&
    storedKey?.length === PROOF_BYTES &&
    serverKey?.length === PROOF_BYTES;
  return isValid ? { salt, iterations, storedKey, serverKey } : null;
}
