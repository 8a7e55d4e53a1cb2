/** Codes and the tokens they pay for: made by a consent, redeemed once, good until they end. */
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
  hashSecret,
  issueSecret,
  type SecretKind,
} from "../../identity/one-time-secrets.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { RegisteredClient } from "../../rules/events/wire/check-authorization.ts";
import { matchesCodeChallenge } from "../../rules/identity/pkce.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { EventsRecords, EventsStore, Grant } from "../store.ts";
import type { PendingRequest } from "./interactions.ts";

export interface GrantSettings {
  readonly store: EventsStore;
  readonly randomBytes: RandomBytes;
  /** Those of the configuration. */
  readonly clients: readonly Pick<RegisteredClient, "id">[];
  now(): number;
}

export interface Redemption {
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

export interface Grants {
  /** A code for what a person allowed. */
  issueCode(
    records: Pick<EventsRecords, "identity" | "grants">,
    accountId: string,
    request: PendingRequest,
  ): Promise<string>;
  /** Null when the code cannot be redeemed; it is used up either way. */
  redeem(redemption: Redemption): Promise<EventsTokenResponse | null>;
  /** What this token stands for, while it is alive and its client is one of ours. */
  find(token: string): Promise<Grant | null>;
  /** Notes that it was used, which moves its end; at most once an hour. */
  touch(grant: Grant): Promise<void>;
  revokeToken(token: string, clientId: string): Promise<void>;
}

/** What a code stands for. */
interface CodeBinding extends Omit<PendingRequest, "state"> {
  readonly accountId: string;
  /** Of the account's codes, when it was made. */
  readonly epoch: number;
  /** Of the grant that the code will make: known beforehand, so that a replay can end it. */
  readonly grantId: string;
}

const CODES: SecretKind = {
  purpose: "authorization-code",
  lifetimeMs: CODE_LIFETIME_SECONDS * 1000,
  // As long as the token can live that was made from it.
  rememberMs: ACCESS_ABSOLUTE_SECONDS * 1000,
};
const GRANT_ID_BYTES = 16;
const ACCESS_TOKEN_BYTES = 32;
const TOUCH_INTERVAL_MS = 3_600_000;

export function createGrants({ store, randomBytes, clients, now }: GrantSettings): Grants {
  const clientIds = new Set(clients.map(({ id }) => id));
  const random = (length: number) => encodeBase64Url(randomBytes(length));

  return {
    async issueCode({ identity, grants }, accountId, request) {
      const { clientId, redirectUri, codeChallenge, scope } = request;
      const bound: CodeBinding = {
        grantId: random(GRANT_ID_BYTES),
        accountId,
        epoch: await grants.codeEpoch(accountId),
        clientId,
        redirectUri,
        codeChallenge,
        scope,
      };
      return issueSecret(identity, CODES, JSON.stringify(bound), now(), randomBytes);
    },

    // The code is consumed before anything else is looked at, in the transaction that makes the token.
    redeem: (given) =>
      store.transaction(async ({ identity, grants }) => {
        const consumed = await consumeSecret(identity, CODES, given.code, now());
        if (consumed.kind === "unknown") return null;
        const bound = JSON.parse(consumed.bound) as CodeBinding;
        // RFC 6749 4.1.2: whoever replays a code may be who stole it, or whom it was stolen from.
        if (consumed.kind === "reused" && !consumed.parallel) await grants.revoke(bound.grantId);
        if (consumed.kind !== "consumed") return null;
        const isRight =
          given.clientId === bound.clientId &&
          given.redirectUri === bound.redirectUri &&
          (await matchesCodeChallenge(given.codeVerifier, bound.codeChallenge)) &&
          bound.epoch === (await grants.codeEpoch(bound.accountId));
        return isRight ? addGrant(grants, bound) : null;
      }),

    async find(token) {
      if (!token.startsWith(ACCESS_TOKEN_PREFIX)) return null;
      const grant = await store.findGrant(hashSecret(token), now());
      return grant !== null && clientIds.has(grant.clientId) ? grant : null;
    },

    async touch({ grantId, lastUsedAt }) {
      const at = now();
      if (at - lastUsedAt < TOUCH_INTERVAL_MS) return;
      await store.transaction(({ grants }) =>
        grants.touch(grantId, at, at + ACCESS_IDLE_SECONDS * 1000),
      );
    },

    async revokeToken(token, clientId) {
      await store.transaction(({ grants }) => grants.revokeToken(hashSecret(token), clientId));
    },
  };

  async function addGrant(
    grants: EventsRecords["grants"],
    { grantId, accountId, clientId, scope }: CodeBinding,
  ): Promise<EventsTokenResponse> {
    const token = ACCESS_TOKEN_PREFIX + random(ACCESS_TOKEN_BYTES);
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
