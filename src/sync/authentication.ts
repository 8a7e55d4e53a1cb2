/** Sign-in, authorization codes, tokens and device sessions. */
import type { AuthorizeComplete, TokenResponse, TokenBody } from "../contract/sync/schemas.ts";
import {
  ACCESS_LIFETIME_SECONDS,
  ACCESS_TOKEN_PREFIX,
  LOGIN_PURPOSE,
  REFRESH_ABSOLUTE_SECONDS,
  REFRESH_IDLE_SECONDS,
} from "../contract/sync/values.ts";
import type { SharedRateLimiter } from "../http/shared-rate-limit.ts";
import type { Accounts } from "../identity/accounts.ts";
import type { InstanceKey } from "../identity/instance-key.ts";
import { consumeSecret, hashSecret, issueSecret } from "../identity/one-time-secrets.ts";
import {
  clientShares,
  identifyBefore,
  rememberBrowser,
  type IdentifiedRequest,
} from "../identity/known-browsers.ts";
import {
  createSignIn,
  type BeginResult,
  type CompleteRequest,
  type SignInResult,
  type Throttled,
} from "../identity/sign-in.ts";
import type { NoteSecurityEvent, SecurityLog } from "../identity/security-log.ts";
import { createThrottle } from "../identity/throttle.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import type { SignedAttempt } from "../rules/identity/auth-message.ts";
import { readCodeVerifier } from "../rules/identity/pkce.ts";
import {
  createRefreshToken,
  FAMILY_BYTES,
  checkRefresh,
  nextRefreshToken,
  type RefreshToken,
} from "../rules/sync/refresh-token.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import { CODES } from "./authorization-codes.ts";
import { noteTokenAhead } from "./note-put-back.ts";
import { createRefreshKeys, isIssued } from "./refresh-keys.ts";
import { revokeEverything } from "./revoke-everything.ts";
import {
  SYNC_REALM,
  type AccessGrant,
  type DeviceSession,
  type NewAccess,
  type SyncRecords,
  type SyncStore,
} from "./store.ts";

export interface AuthenticationSettings {
  readonly store: SyncStore;
  readonly security: SecurityLog<SyncRecords>;
  readonly instanceKey: InstanceKey;
  readonly accounts: Accounts;
  readonly randomBytes: RandomBytes;
  /** Sign-ins that a client, or its networks together, may begin. */
  readonly limiter: SharedRateLimiter;
  /** How many devices may be signed in; absent: any number. */
  readonly maxDevices?: number | undefined;
  now(): number;
}

/** Where a sign-in comes from. */
export type SignInOrigin = Omit<IdentifiedRequest, "username">;

/** A password proof that is valid. */
export type Proof = Extract<SignInResult, { kind: "proved" }>;

export type CompleteResult =
  | {
      readonly kind: "proved";
      readonly code: string;
      /** The value that the browser keeps from now on. */
      readonly knownBrowser: string;
      readonly serverSignature: string;
      readonly redirectUri: string;
    }
  | { readonly kind: "failed" }
  | Throttled;

export type RedeemResult =
  | { readonly kind: "redeemed"; readonly tokens: TokenResponse }
  /** The code cannot be redeemed. */
  | { readonly kind: "refused" }
  /** As many other devices are signed in as the quota allows. */
  | { readonly kind: "too-many-devices"; readonly maxDevices: number };

export interface Authentication {
  /** Whether the account exists. */
  isInitialized(): Promise<boolean>;
  /** The proof signs all members. */
  begin(
    attempt: SignedAttempt & { readonly username: string },
    origin: SignInOrigin,
  ): Promise<BeginResult>;
  /** Calls `onProved` in the transaction of a valid proof, and returns what it returns. */
  prove<T>(
    request: CompleteRequest,
    onProved: (records: SyncRecords, proof: Proof, note: NoteSecurityEvent) => Promise<T>,
  ): Promise<T | { readonly kind: "failed" } | Throttled>;
  complete(body: AuthorizeComplete, origin: SignInOrigin): Promise<CompleteResult>;
  /** The code is consumed in any case. */
  redeem(body: TokenBody, address: string): Promise<RedeemResult>;
  /** Null when the token is invalid, expired or reused, or newer than the store. */
  refresh(refreshToken: string, address: string): Promise<TokenResponse | null>;
  findAccess(token: string): Promise<AccessGrant | null>;
  /** How many devices were revoked. */
  revokeDevice(session: DeviceSession, address: string): Promise<number>;
  /** Ends codes and sign-ins in flight too. */
  revokeAll(address: string): Promise<number>;
}

/** What an authorization code is bound to. */
interface CodeBinding {
  readonly codeChallenge: string;
  readonly redirectUri: string;
  readonly attemptId: string;
  readonly deviceId: string;
  /** Of the session that the code will open, so that a replayed code can revoke it. */
  readonly family: string;
}

const ACCESS_TOKEN_BYTES = 32;
const REFUSED: RedeemResult = { kind: "refused" };

export function createAuthentication(settings: AuthenticationSettings): Authentication {
  const { store, security, instanceKey, randomBytes, now } = settings;
  const { accounts, maxDevices = Number.POSITIVE_INFINITY } = settings;
  const signIn = createSignIn({
    purpose: LOGIN_PURPOSE,
    accounts,
    throttle: createThrottle(SYNC_REALM, instanceKey),
    randomBytes,
  });
  const refreshKeys = createRefreshKeys(instanceKey);
  let hasAccount = false;

  return {
    async isInitialized() {
      // The route is public, so its store query ends with the first account, which is never deleted.
      hasAccount ||= await store.transaction(
        async ({ identity }) => (await accounts.list(identity)).length > 0,
      );
      return hasAccount;
    },

    async begin({ username, ...attempt }, origin) {
      const client = await identifyBefore(store, { username, ...origin }, now());
      const limit = await settings.limiter.consumeEach(clientShares(client));
      if (limit.kind === "limited") return { ...limit, kind: "throttled" };
      return store.transaction(({ identity }) =>
        signIn.begin(identity, { username, attempt, client }, now()),
      );
    },

    prove,

    complete: ({ csrf, challengeId, clientNonce, proof }, origin) => {
      const claimed = { state: csrf };
      const request = { challengeId, clientNonce, proof, claimed, ...origin };
      return prove(request, async ({ identity }, result): Promise<CompleteResult> => {
        const { codeChallenge, redirectUri, attemptId, deviceId } = result.attempt as Omit<
          CodeBinding,
          "family"
        >;
        const family = encodeBase64Url(randomBytes(FAMILY_BYTES));
        const bound: CodeBinding = { codeChallenge, redirectUri, attemptId, deviceId, family };
        const code = await issueSecret(identity, CODES, JSON.stringify(bound), now(), randomBytes);
        const { accountId, serverSignature } = result;
        const knownBrowser = await rememberBrowser(
          identity,
          origin.knownBrowser,
          accountId,
          now(),
          randomBytes,
        );
        return { kind: "proved", code, serverSignature, redirectUri, knownBrowser };
      });
    },

    // Sync contract, States 1: the code is consumed before anything else is checked.
    async redeem(body, address) {
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
        return { kind: "redeemed", tokens: await openSession(sessions, bound) };
      });
    },

    async refresh(text, address) {
      const token = refreshKeys.read(text);
      if (token === null) return null;
      return security.transaction(async (records, note) => {
        const { sessions } = records;
        const session = await sessions.find(token.family);
        if (session === null) return null;
        switch (checkRefresh(token, session, now())) {
          case "rotate":
            // Otherwise forged, with a key that was stolen.
            if (!isIssued(text, session.refreshHash)) return null;
            return renewSession(sessions, session, nextRefreshToken(text, refreshKeys.current));
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

    findAccess: async (token) =>
      token.startsWith(ACCESS_TOKEN_PREFIX) ? store.findAccess(hashSecret(token), now()) : null,

    revokeDevice: ({ family }, address) =>
      security.transaction(async ({ sessions }, note) => {
        if (!(await sessions.revokeFamily(family))) return 0;
        await note("device-signed-out", address);
        return 1;
      }),

    revokeAll: (address) =>
      security.transaction(async (records, note) => {
        await note("signed-out-everywhere", address);
        return revokeEverything(records);
      }),
  };

  function prove<T>(
    request: CompleteRequest,
    onProved: (records: SyncRecords, proof: Proof, note: NoteSecurityEvent) => Promise<T>,
  ): Promise<T | { readonly kind: "failed" } | Throttled> {
    return security.transaction(async (records, note) => {
      const result = await signIn.complete(records.identity, request, now());
      if (result.kind === "failed" && result.beginsThrottling) {
        await note("throttling-begun", request.address);
      }
      return result.kind === "proved" ? onProved(records, result, note) : result;
    });
  }

  async function openSession(
    sessions: SyncRecords["sessions"],
    { family, deviceId }: CodeBinding,
  ): Promise<TokenResponse> {
    const at = now();
    const first = createRefreshToken(
      decodeBase64Url(family) ?? new Uint8Array(),
      refreshKeys.current,
    );
    const session: DeviceSession = {
      family,
      deviceId,
      counter: 0,
      refreshHash: hashSecret(first.text),
      createdAt: at,
      rotatedAt: at,
      lastUsedAt: at,
      idleExpiresAt: at + REFRESH_IDLE_SECONDS * 1000,
      absoluteExpiresAt: at + REFRESH_ABSOLUTE_SECONDS * 1000,
    };
    await sessions.open(session);
    return issueTokens(sessions, session, first);
  }

  async function renewSession(
    sessions: SyncRecords["sessions"],
    session: DeviceSession,
    successor: RefreshToken,
  ): Promise<TokenResponse> {
    const at = now();
    // The grace period begins with the rotation, not with its repetition.
    const isRotation = successor.counter > session.counter;
    const renewed: DeviceSession = {
      ...session,
      counter: successor.counter,
      refreshHash: hashSecret(successor.text),
      rotatedAt: isRotation ? at : session.rotatedAt,
      lastUsedAt: at,
      idleExpiresAt: at + REFRESH_IDLE_SECONDS * 1000,
    };
    await sessions.renew(renewed);
    return issueTokens(sessions, renewed, successor);
  }

  async function issueTokens(
    sessions: SyncRecords["sessions"],
    session: DeviceSession,
    refreshToken: RefreshToken,
  ): Promise<TokenResponse> {
    const accessToken = ACCESS_TOKEN_PREFIX + encodeBase64Url(randomBytes(ACCESS_TOKEN_BYTES));
    const access: NewAccess = {
      hash: hashSecret(accessToken),
      expiresAt: now() + ACCESS_LIFETIME_SECONDS * 1000,
    };
    await sessions.addAccess(session.family, access);
    return {
      tokenType: "Bearer",
      accessToken,
      expiresIn: ACCESS_LIFETIME_SECONDS,
      refreshToken: refreshToken.text,
      refreshExpiresAt: new Date(refreshExpiry(session)).toISOString(),
      deviceId: session.deviceId,
    };
  }
}

/** When the refresh token expires unless it is used before. */
export function refreshExpiry({ idleExpiresAt, absoluteExpiresAt }: DeviceSession): number {
  return Math.min(idleExpiresAt, absoluteExpiresAt);
}
