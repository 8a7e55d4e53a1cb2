/** The client's half of a password proof: from a challenge and a password to what may be sent. */
import { decodeBase64Url, encodeBase64Url } from "../base64url.ts";
import { createAuthMessage, type PasswordChallenge, type SignedAttempt } from "./auth-message.ts";
import type { IdentityPrimitives } from "./primitives.ts";
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
      /** Only a server that knows the verifier of this password can make it. */
      readonly expectedServerSignature: string;
    }
  /** Few iterations would let whoever poses as the server guess the password from the proof. */
  | { readonly kind: "iterations-refused"; readonly iterations: number }
  | { readonly kind: "salt-refused" };

/** Below, a forged challenge makes guessing cheap; above, it freezes the device. */
export const MIN_ACCEPTED_ITERATIONS = 100_000;
export const MAX_ACCEPTED_ITERATIONS = 10_000_000;

const NONCE_BYTES = 32;

export async function provePassword(
  primitives: IdentityPrimitives,
  { password, challenge, ...signed }: PasswordLogin,
): Promise<ProofResult> {
  const { iterations } = challenge;
  if (!isAcceptedIterationCount(iterations)) return { kind: "iterations-refused", iterations };
  const salt = decodeBase64Url(challenge.salt);
  if (salt === null || salt.length < SALT_BYTES) return { kind: "salt-refused" };
  const salted = await deriveSaltedPassword(primitives, password, salt, iterations);
  const clientNonce = encodeBase64Url(primitives.randomBytes(NONCE_BYTES));
  const authMessage = createAuthMessage({ ...signed, challenge, clientNonce });
  const serverKey = await deriveServerKey(primitives, salted);
  return {
    kind: "proved",
    clientNonce,
    proof: encodeBase64Url(await createProof(primitives, salted, authMessage)),
    expectedServerSignature: encodeBase64Url(
      await createServerSignature(primitives, serverKey, authMessage),
    ),
  };
}

function isAcceptedIterationCount(iterations: number): boolean {
  return (
    Number.isInteger(iterations) &&
    iterations >= MIN_ACCEPTED_ITERATIONS &&
    iterations <= MAX_ACCEPTED_ITERATIONS
  );
}
