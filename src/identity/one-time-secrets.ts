/** Secrets that work once, such as authorization codes. The store knows only their hashes. */
import { CODE_RACE_SECONDS } from "../contract/identity.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import { hashSecret } from "./hash-secret.ts";
import type { IdentityRecords } from "./identity-records.ts";
import type { RandomBytes } from "./node-primitives.ts";

export interface SecretKind {
  readonly purpose: string;
  readonly lifetimeMs: number;
  /** How long after its expiry a second use is still recognised. */
  readonly rememberMs: number;
}

export type ConsumeSecretResult =
  | { readonly kind: "burned"; readonly bound: string }
  /** It was never used, and now it is too late; it counts as used from here on. */
  | { readonly kind: "expired"; readonly bound: string }
  | {
      readonly kind: "reused";
      readonly bound: string;
      /** A burst: this use came so close to the first that one sender may have made both. */
      readonly parallel: boolean;
    }
  | { readonly kind: "unknown" };

const SECRET_BYTES = 32;

/** `bound` is what the secret stands for, as text that only its issuer understands. */
export async function issueSecret(
  records: IdentityRecords,
  kind: SecretKind,
  bound: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<string> {
  const secret = encodeBase64Url(randomBytes(SECRET_BYTES));
  const expiresAt = now + kind.lifetimeMs;
  await records.addSecret({
    hash: hashSecret(secret),
    purpose: kind.purpose,
    bound,
    expiresAt,
    keepUntil: expiresAt + kind.rememberMs,
  });
  return secret;
}

/**
 * Uses a secret up, whatever is wrong with the request that brought it. Call it in the transaction
 * that makes what the secret pays for: then a second use always finds the first one's result.
 */
export async function consumeSecret(
  records: IdentityRecords,
  { purpose }: SecretKind,
  secret: string,
  now: number,
): Promise<ConsumeSecretResult> {
  const use = await records.consumeSecret(hashSecret(secret), purpose, now);
  if (use === null) return { kind: "unknown" };
  const { bound, expiresAt, usedBefore } = use;
  if (usedBefore === null) return { kind: now < expiresAt ? "burned" : "expired", bound };
  return {
    kind: "reused",
    bound,
    parallel: Math.abs(now - usedBefore) <= CODE_RACE_SECONDS * 1000,
  };
}
