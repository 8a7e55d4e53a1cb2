/** The session of a device: what its tokens are issued from, and how long they last. */
import type { TokenResponse } from "../../contract/sync/schemas.ts";
import {
  ACCESS_LIFETIME_SECONDS,
  REFRESH_ABSOLUTE_SECONDS,
  REFRESH_IDLE_SECONDS,
} from "../../contract/sync/values.ts";
import { hashSecret } from "../../identity/one-time-secrets.ts";
import type { RefreshToken } from "../../rules/sync/refresh-token.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { DeviceSession, SessionRecords } from "../store.ts";
import type { AccessTokens } from "./access-tokens.ts";

export function createSessionTokens(
  { randomBytes, now }: SyncDependencies,
  accessTokens: AccessTokens,
) {
  /** `first` is the first refresh token of the family. */
  async function openSession(
    sessions: SessionRecords,
    deviceId: string,
    first: RefreshToken,
    name: string | null,
  ): Promise<TokenResponse> {
    const at = now();
    const session: DeviceSession = {
      family: first.family,
      deviceId,
      counter: first.counter,
      refreshHash: hashSecret(first.text),
      createdAt: at,
      rotatedAt: at,
      lastUsedAt: at,
      idleExpiresAt: at + REFRESH_IDLE_SECONDS * 1000,
      absoluteExpiresAt: at + REFRESH_ABSOLUTE_SECONDS * 1000,
    };
    await sessions.open(session, name);
    return issueTokens(sessions, session, first);
  }

  async function renewSession(
    sessions: SessionRecords,
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
    sessions: SessionRecords,
    session: DeviceSession,
    refreshToken: RefreshToken,
  ): Promise<TokenResponse> {
    const accessToken = accessTokens.create(randomBytes);
    await sessions.addAccess(session.family, {
      hash: hashSecret(accessToken),
      expiresAt: now() + ACCESS_LIFETIME_SECONDS * 1000,
    });
    return {
      tokenType: "Bearer",
      accessToken,
      expiresIn: ACCESS_LIFETIME_SECONDS,
      refreshToken: refreshToken.text,
      refreshExpiresAt: new Date(refreshExpiry(session)).toISOString(),
      deviceId: session.deviceId,
    };
  }

  return { openSession, renewSession };
}

/** When the refresh token expires unless it is used before. */
export function refreshExpiry({ idleExpiresAt, absoluteExpiresAt }: DeviceSession): number {
  return Math.min(idleExpiresAt, absoluteExpiresAt);
}
