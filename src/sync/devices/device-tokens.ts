/** Tokens of devices: a code is redeemed for the first ones, and a refresh token for the next. */
import type { TokenBody, TokenResponse } from "../../contract/sync/schemas.ts";
import { consumeSecret } from "../../identity/one-time-secrets.ts";
import { decodeBase64Url } from "../../rules/base64url.ts";
import { readCodeVerifier } from "../../rules/identity/pkce.ts";
import {
  checkRefresh,
  createRefreshToken,
  nextRefreshToken,
} from "../../rules/sync/refresh-token.ts";
import { toDisplayName } from "../../rules/sync/device-name.ts";
import { CODES, type CodeBinding } from "../sign-in/authorization-codes.ts";
import { noteTokenAhead } from "./note-rollback.ts";
import { createRefreshKeys, isIssued } from "./refresh-keys.ts";
import { revokeEverything } from "./revoke-everything.ts";
import { createSessionTokens } from "./session-tokens.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { DeviceSession } from "../store.ts";
import type { AccessTokens } from "./access-tokens.ts";

export type RedeemResult =
  | { readonly kind: "redeemed"; readonly tokens: TokenResponse }
  /** The code cannot be redeemed. */
  | { readonly kind: "refused" }
  /** As many other devices are signed in as the quota allows. */
  | { readonly kind: "too-many-devices"; readonly maxDevices: number };

const REFUSED: RedeemResult = { kind: "refused" };

export type DeviceTokens = ReturnType<typeof createDeviceTokens>;

export function createDeviceTokens(dependencies: SyncDependencies, accessTokens: AccessTokens) {
  const { security, instanceKey, quota, now } = dependencies;
  const maxDevices = quota?.devices ?? Number.POSITIVE_INFINITY;
  const refreshKeys = createRefreshKeys(instanceKey);
  const { openSession, renewSession } = createSessionTokens(dependencies, accessTokens);

  return {
    /** Sync contract, States 1: the code is consumed before anything else is checked. */
    async redeem(body: TokenBody, address: string): Promise<RedeemResult> {
      const codeChallenge = await readCodeVerifier(body.codeVerifier);
      return security.transaction(async ({ identity, sessions }, note): Promise<RedeemResult> => {
        const consumed = await consumeSecret(identity, CODES, body.code, now());
        if (consumed.kind === "unknown") return REFUSED;
        const bound = JSON.parse(consumed.bound) as CodeBinding;
        if (consumed.kind === "reused" && !consumed.parallel) {
          await sessions.revokeFamily(bound.family);
          await note("code-replay", address);
        }
        if (consumed.kind !== "consumed") return REFUSED;
        const isBound =
          codeChallenge === bound.codeChallenge &&
          body.redirectUri === bound.redirectUri &&
          body.attemptId === bound.attemptId;
        if (!isBound) return REFUSED;
        const signedIn = await sessions.list(now());
        const others = signedIn.filter(({ deviceId }) => deviceId !== bound.deviceId);
        if (others.length >= maxDevices) return { kind: "too-many-devices", maxDevices };
        // A device that was signed out, or whose session expired, is new again.
        if (others.length === signedIn.length) await note("new-device", address);
        const family = decodeBase64Url(bound.family) ?? new Uint8Array();
        const first = createRefreshToken(family, refreshKeys.current);
        const name = toDisplayName(body.displayName ?? "");
        const tokens = await openSession(sessions, bound.deviceId, first, name);
        return { kind: "redeemed", tokens };
      });
    },

    /** Null when the token is invalid, expired or reused, or newer than the store. */
    async refresh(text: string, address: string): Promise<TokenResponse | null> {
      const token = refreshKeys.read(text);
      if (token === null) return null;
      return security.transaction(async (records, note) => {
        const { sessions } = records;
        const session = await sessions.find(token.family);
        if (session === null) return null;
        switch (checkRefresh(token, session, now())) {
          case "rotate": {
            // A token that was not issued was forged with a stolen key.
            if (!isIssued(text, session.refreshHash)) return null;
            const successor = nextRefreshToken(text, refreshKeys.current);
            return renewSession(sessions, session, successor);
          }
          case "repeat": {
            const successor = refreshKeys.findSuccessor(text, session.refreshHash);
            return successor === null ? null : renewSession(sessions, session, successor);
          }
          case "ahead":
            await sessions.revokeFamily(token.family);
            await noteTokenAhead(records, session, address, note);
            return null;
          case "reuse":
            await sessions.revokeFamily(token.family);
            await note("refresh-token-reuse", address);
            return null;
          case "expired":
            return null;
        }
      });
    },

    /** Returns how many devices were revoked. */
    revokeDevice: ({ family }: DeviceSession, address: string): Promise<number> =>
      security.transaction(async ({ sessions }, note) => {
        if (!(await sessions.revokeFamily(family))) return 0;
        await note("device-signed-out", address);
        return 1;
      }),

    /** Ends codes and sign-ins in flight too. */
    revokeAll: (address: string): Promise<number> =>
      security.transaction(async (records, note) => {
        await note("signed-out-everywhere", address);
        return revokeEverything(records);
      }),
  };
}
