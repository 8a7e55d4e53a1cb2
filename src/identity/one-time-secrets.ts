/** Secrets that work once, such as authorization codes. The store knows only their hashes. */
import { createHash } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { RandomBytes } from "./node-primitives.ts";

export interface SecretKind {
  readonly realm: string;
  readonly purpose: string;
  readonly lifetimeMs: number;
  /** How long after its expiry a second use is still recognised. */
  readonly rememberMs: number;
}

export type BurnOutcome =
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
const PARALLEL_USE_MS = 2000;

/** `bound` is what the secret stands for, as text that only its issuer understands. */
export async function issueSecret(
  store: Queryable,
  kind: SecretKind,
  bound: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<string> {
  const secret = encodeBase64Url(randomBytes(SECRET_BYTES));
  const expiresAt = now + kind.lifetimeMs;
  await store.query(
    `INSERT INTO identity_secrets (secret_hash, realm, purpose, bound, expires_at, keep_until)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [hash(secret), kind.realm, kind.purpose, bound, expiresAt, expiresAt + kind.rememberMs],
  );
  return secret;
}

/**
 * Uses a secret up, whatever is wrong with the request that brought it. Call it in the transaction
 * that makes what the secret pays for: then a second use always finds the first one's result.
 */
export async function burnSecret(
  store: Queryable,
  { realm, purpose }: SecretKind,
  secret: string,
  now: number,
): Promise<BurnOutcome> {
  const key = [hash(secret), realm, purpose];
  // One statement decides: of any number of parallel burns exactly one gets the row.
  const [burned] = await store.query<{ bound: string; expires_at: number }>(
    `UPDATE identity_secrets SET used_at = $4
     WHERE secret_hash = $1 AND realm = $2 AND purpose = $3 AND used_at IS NULL
     RETURNING bound, expires_at`,
    [...key, now],
  );
  if (burned !== undefined) {
    return { kind: now < burned.expires_at ? "burned" : "expired", bound: burned.bound };
  }
  const [used] = await store.query<{ bound: string; used_at: number }>(
    `SELECT bound, used_at FROM identity_secrets
     WHERE secret_hash = $1 AND realm = $2 AND purpose = $3`,
    key,
  );
  if (used === undefined) return { kind: "unknown" };
  const parallel = Math.abs(now - used.used_at) <= PARALLEL_USE_MS;
  return { kind: "reused", bound: used.bound, parallel };
}

export async function pruneSecrets(store: Queryable, now: number): Promise<void> {
  await store.query("DELETE FROM identity_secrets WHERE keep_until <= $1", [now]);
}

/** The secret has 256 random bits, so a plain hash cannot be searched through. */
function hash(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("base64url");
}
