/** Authorization codes, and the grants and access tokens they are redeemed for. */
import {
  ACCESS_ABSOLUTE_SECONDS,
  ACCESS_IDLE_SECONDS,
  ACCESS_TOKEN_PREFIX,
  CODE_LIFETIME_SECONDS,
  SCOPE,
} from "../../contract/events/values.ts";
import type { EventsTokenResponse } from "../../contract/events/schemas.ts";
import {
  consumeSecret,
  createSecret,
  hashSecret,
  issueSecret,
  type SecretKind,
} from "../../identity/one-time-secrets.ts";
import type { SecurityLog } from "../../identity/security-log.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { RegisteredClient } from "../../rules/events/wire/authorization.ts";
import type { TokenRequestResult } from "../../rules/events/wire/token-requests.ts";
import { readCodeVerifier } from "../../rules/identity/pkce.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { EventsRecords, EventsStore, Grant } from "../store.ts";
import type { PendingRequest } from "./interactions.ts";

export interface GrantSettings {
  readonly store: EventsStore;
  readonly security: SecurityLog<EventsRecords>;
  readonly randomBytes: RandomBytes;
  readonly clients: readonly Pick<RegisteredClient, "id">[];
  now(): number;
}

type Redemption = Extract<TokenRequestResult, { kind: "accepted" }>;

export type Grants = ReturnType<typeof createGrants>;

interface CodeBinding extends Omit<PendingRequest, "state"> {
  readonly accountId: string;
  /** The code epoch of the account when the code was issued. */
  readonly epoch: number;
  /** The grant id is chosen before the code is redeemed, so that a replay can revoke the grant. */
  readonly grantId: string;
}

const CODES: SecretKind = {
  purpose: "authorization-code",
  lifetimeMs: CODE_LIFETIME_SECONDS * 1000,
  // A used code is remembered for as long as the access token may live.
  rememberMs: ACCESS_ABSOLUTE_SECONDS * 1000,
};
const GRANT_ID_BYTES = 16;
const TOUCH_INTERVAL_MS = 3_600_000;

export function createGrants({ store, security, randomBytes, clients, now }: GrantSettings) {
  const clientIds = new Set(clients.map(({ id }) => id));

  return {
    async issueCode(
      { identity, grants }: Pick<EventsRecords, "identity" | "grants">,
      accountId: string,
      request: PendingRequest,
    ): Promise<string> {
      const { clientId, redirectUri, codeChallenge, scope } = request;
      const bound: CodeBinding = {
        grantId: encodeBase64Url(randomBytes(GRANT_ID_BYTES)),
        accountId,
        epoch: await grants.codeEpoch(accountId),
        clientId,
        redirectUri,
        codeChallenge,
        scope,
      };
      return issueSecret(identity, CODES, JSON.stringify(bound), now(), randomBytes);
    },

    /** Null when the code cannot be redeemed; it is consumed before any other check. */
    async redeem(given: Redemption, address: string): Promise<EventsTokenResponse | null> {
      const codeChallenge = await readCodeVerifier(given.codeVerifier);
      return security.transaction(async ({ identity, grants }, note) => {
        const consumed = await consumeSecret(identity, CODES, given.code, now());
        if (consumed.kind === "unknown") return null;
        const bound = JSON.parse(consumed.bound) as CodeBinding;
        // RFC 6749 4.1.2: a replay means that the code was stolen.
        if (consumed.kind === "reused" && !consumed.parallel) {
          await grants.revoke(bound.grantId);
          await note("code-replay", address);
        }
        if (consumed.kind !== "consumed") return null;
        const isValid =
          given.clientId === bound.clientId &&
          given.redirectUri === bound.redirectUri &&
          codeChallenge === bound.codeChallenge &&
          bound.epoch === (await grants.codeEpoch(bound.accountId));
        return isValid ? addGrant(grants, bound) : null;
      });
    },

    /** Null when the token has expired or its client is not configured. */
    async find(token: string): Promise<Grant | null> {
      if (!token.startsWith(ACCESS_TOKEN_PREFIX)) return null;
      const grant = await store.findGrant(hashSecret(token), now());
      return grant !== null && clientIds.has(grant.clientId) ? grant : null;
    },

    /** Records the use, which extends the grant; writes at most once an hour. */
    async touch({ grantId, lastUsedAt }: Grant): Promise<void> {
      const at = now();
      if (at - lastUsedAt < TOUCH_INTERVAL_MS) return;
      await store.transaction(({ grants }) =>
        grants.touch(grantId, at, at + ACCESS_IDLE_SECONDS * 1000),
      );
    },

    async revokeToken(token: string, clientId: string): Promise<void> {
      await store.transaction(({ grants }) => grants.revokeToken(hashSecret(token), clientId));
    },
  };

  async function addGrant(
    grants: EventsRecords["grants"],
    { grantId, accountId, clientId, scope }: CodeBinding,
  ): Promise<EventsTokenResponse> {
    const token = ACCESS_TOKEN_PREFIX + createSecret(randomBytes);
    const at = now();
    await grants.add({
      grantId,
      accountId,
      clientId,
      scope,
      tokenHash: hashSecret(token),
      createdAt: at,
      lastUsedAt: at,
      idleExpiresAt: at + ACCESS_IDLE_SECONDS * 1000,
      absoluteExpiresAt: at + ACCESS_ABSOLUTE_SECONDS * 1000,
    });
    return {
      access_token: token,
      token_type: "Bearer",
      expires_in: ACCESS_IDLE_SECONDS,
      scope: SCOPE,
    };
  }
}

/** Revokes the apps of an account, and ends what could become a new grant: codes and sign-ins in flight. */
export async function revokeAllAccess(
  { grants, identity }: Pick<EventsRecords, "grants" | "identity">,
  { accountId, username }: { readonly accountId: string; readonly username: string },
): Promise<number> {
  await identity.removeChallenges(username);
  return grants.revokeAll(accountId);
}
