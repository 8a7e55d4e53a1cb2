/** Random secrets, of which the store has only hashes, and those that can be used once. */
import { hash, timingSafeEqual } from "node:crypto";
import { CODE_RACE_SECONDS } from "../contract/identity.ts";
import { createSecret } from "../rules/create-secret.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import type { IdentityRecords } from "./identity-records.ts";

export interface SecretKind {
  readonly purpose: string;
  readonly lifetimeMs: number;
  /** How long after its expiry a second use is still recognised. */
  readonly rememberMs: number;
}

export type ConsumeSecretResult =
  | { readonly kind: "consumed"; readonly bound: string }
  /** The secret was first used after its expiry; it counts as used from now on. */
  | { readonly kind: "expired"; readonly bound: string }
  | {
      readonly kind: "reused";
      readonly bound: string;
      /** True so soon after the first use that one client may have sent both. */
      readonly parallel: boolean;
    }
  | { readonly kind: "unknown" };

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Tells whether a text can be a secret. PostgreSQL refuses some texts, such as those with U+0000. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Unsalted: safe for 256 random bits. Synchronous, for each bearer request: 1.5 µs; WebCrypto: 20 µs. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** `bound` is the data that the secret gives access to, in a format of its issuer. */
export async function issueSecret(
  records: IdentityRecords,
  kind: SecretKind,
  bound: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<string> {
  const secret = createSecret(randomBytes);
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
 * Consumes a secret even if the rest of the request is invalid. Call it in the transaction that
 * writes what the secret grants: then a second use always finds the result of the first.
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
  if (usedBefore === null) return { kind: now < expiresAt ? "consumed" : "expired", bound };
  return {
    kind: "reused",
    bound,
    parallel: Math.abs(now - usedBefore) <= CODE_RACE_SECONDS * 1000,
  };
}
