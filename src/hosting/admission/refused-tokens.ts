/**
 * The genuine tokens that a store has refused: those of revoked devices, and expired ones. From then on they
 * have no more than strangers have. They are forgotten when there are too many.
 */
import { createBoundedCache } from "../../contract/bounded-cache.ts";
import { hashSecret } from "../../identity/one-time-secrets.ts";

export interface RefusedTokens {
  note(token: string): void;
  has(token: string): boolean;
}

const MAX_KNOWN = 10_000;

export function createRefusedTokens(): RefusedTokens {
  const refused = createBoundedCache<string, true>(MAX_KNOWN);
  return {
    note: (token) => refused.set(hashSecret(token), true),
    has: (token) => refused.get(hashSecret(token)) === true,
  };
}
