/** The client's half of a password proof. */
import { decodeBase64Url, encodeBase64Url } from "../base64url.ts";
import { createAuthMessage, type PasswordChallenge, type SignedAttempt } from "./auth-message.ts";
import { randomBytes } from "../web-crypto.ts";
import {
  createProof,
  createServerSignature,
  deriveSaltedPassword,
  deriveServerKey,
  SALT_BYTES,
} from "./scram.ts";

export interface PasswordLogin {
  readonly purpose: string;
  readonly username: string;
  readonly password: string;
  readonly attempt: SignedAttempt;
  readonly challenge: PasswordChallenge;
}

export type ProofResult =
  | {
      readonly kind: "proved";
      readonly clientNonce: string;
      readonly proof: string;
      /** Only a server that has the verifier of this password can create this signature. */
      readonly expectedServerSignature: string;
    }
  /** A server that asks for few iterations could guess the password from the proof. */
  | { readonly kind: "iterations-refused"; readonly iterations: number }
  | { readonly kind: "salt-refused" };

/** Fewer iterations would make guessing cheap for a forged server; more would freeze the device. */
export const MIN_ACCEPTED_ITERATIONS = 100_000;
export const MAX_ACCEPTED_ITERATIONS = 10_000_000;

const NONCE_BYTES = 32;

/** `deriveKey` may remember keys, which RFC 5802 5.1 allows for one salt and iteration count. */
export async function provePassword(
  { password, challenge, ...signed }: PasswordLogin,
  deriveKey: typeof deriveSaltedPassword = deriveSaltedPassword,
): Promise<ProofResult> {
  const { iterations } = challenge;
  if (!isAcceptedIterationCount(iterations)) return { kind: "iterations-refused", iterations };
  const salt = decodeBase64Url(challenge.salt);
  if (salt === null || salt.length < SALT_BYTES) return { kind: "salt-refused" };
  const salted = await deriveKey(password, salt, iterations);
  const clientNonce = encodeBase64Url(randomBytes(NONCE_BYTES));
  const authMessage = createAuthMessage({ ...signed, challenge, clientNonce });
  const serverKey = await deriveServerKey(salted);
  return {
    kind: "proved",
    clientNonce,
    proof: encodeBase64Url(await createProof(salted, authMessage)),
    expectedServerSignature: encodeBase64Url(await createServerSignature(serverKey, authMessage)),
  };
}

function isAcceptedIterationCount(iterations: number): boolean {
  return (
    Number.isInteger(iterations) &&
    iterations >= MIN_ACCEPTED_ITERATIONS &&
    iterations <= MAX_ACCEPTED_ITERATIONS
  );
}
