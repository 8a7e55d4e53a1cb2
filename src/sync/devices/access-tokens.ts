/**
 * Access tokens: random bytes and a keyed check of them. By the check a made-up token is refused, and a
 * genuine one recognised, without a look into the store, which alone says whether a token is still good.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ACCESS_TOKEN_PREFIX } from "../../contract/sync/values.ts";
import type { RawRequest } from "../../http/request.ts";
import type { AuthenticationResult } from "../../http/service-hooks.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import type { Derive } from "../../identity/key-ring.ts";
import { hashSecret } from "../../identity/one-time-secrets.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { AccessGrant, SyncStore } from "../store.ts";

export interface AccessTokens {
  create(randomBytes: RandomBytes): string;
  /** Whether a key of this instance, in force or retired, has made the token. */
  isGenuine(token: string): boolean;
}

const PURPOSE = "sync/access-token";
const RANDOM_BYTES = 32;
/** A made-up token passes once in 2^64 attempts, and then only costs what every token cost before. */
const CHECK_BYTES = 8;

export function createAccessTokens({ derive, retired }: InstanceKey): AccessTokens {
  const current = createCheck(derive);
  const checks = [current, ...retired.map((old) => createCheck(old.derive))];
  return {
    create(randomBytes) {
      const random = randomBytes(RANDOM_BYTES);
      return ACCESS_TOKEN_PREFIX + encodeBase64Url(Buffer.concat([random, current(random)]));
    },
    isGenuine(token) {
      if (!token.startsWith(ACCESS_TOKEN_PREFIX)) return false;
      const bytes = decodeBase64Url(token.slice(ACCESS_TOKEN_PREFIX.length));
      if (bytes?.length !== RANDOM_BYTES + CHECK_BYTES) return false;
      const random = bytes.subarray(0, RANDOM_BYTES);
      const given = bytes.subarray(RANDOM_BYTES);
      return checks.some((check) => timingSafeEqual(check(random), given));
    },
  };
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The bearer token of a request; empty when there is none. */
export function readAccessToken(request: Pick<RawRequest, "header">): string {
  return BEARER.exec(request.header("authorization") ?? "")?.[1] ?? "";
}

/** Authenticates requests by the access token of a device. A made-up token costs no look into the store. */
export function createAuthentication(
  store: Pick<SyncStore, "findAccess">,
  tokens: Pick<AccessTokens, "isGenuine">,
  now: () => number,
) {
  return async (request: RawRequest): Promise<AuthenticationResult<AccessGrant>> => {
    const token = readAccessToken(request);
    const principal = tokens.isGenuine(token)
      ? await store.findAccess(hashSecret(token), now())
      : null;
    return principal === null ? { kind: "unauthenticated" } : { kind: "authenticated", principal };
  };
}

function createCheck(derive: Derive): (random: Uint8Array) => Uint8Array {
  const key = derive(PURPOSE);
  return (random) => createHmac("sha256", key).update(random).digest().subarray(0, CHECK_BYTES);
}
