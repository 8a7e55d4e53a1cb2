/** The sessions of a played account: codes, access tokens, and refresh tokens that rotate. */
import { createHash } from "node:crypto";
import { DAY_MS } from "../../../src/contract/durations.ts";
import type { Members } from "../../../src/contract/is-object.ts";
import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import type { ClientUnderTest } from "../../drivers/client-under-test.ts";
import type { SeenRequest } from "../../drivers/loopback-service.ts";

/** What the app asked the page for. */
export interface BegunSignIn {
  readonly codeChallenge: string;
  readonly redirectUri: string;
  readonly attemptId: string;
  readonly deviceId: string;
}

export interface Sessions {
  /** Makes a code that can be redeemed once. */
  allow(signIn: BegunSignIn): string;
  redeem(body: Members): Members | SyncErrorCode;
  /** A retry with the token before gets the same tokens again, while those are unused. */
  refresh(refreshToken: unknown): Members | SyncErrorCode;
  isAccess(request: SeenRequest): boolean;
  /** Ends the session of the request; returns how many ended. */
  end(request: SeenRequest): number;
  /** All access tokens have expired. */
  expireAccess(): void;
  endAll(): void;
  /** The number of sessions that have not ended. */
  count(): number;
  /** Their tokens. */
  tokens(): readonly string[];
}

interface Session {
  readonly deviceId: string;
  accessToken: string;
  refreshToken: string;
  /** The refresh token before, which a retry may send again; null at first. */
  lastRefreshToken: string | null;
  isExpired: boolean;
}

export function createSessions(client: ClientUnderTest): Sessions {
  const begun = new Map<string, BegunSignIn>();
  let sessions: Session[] = [];

  const renew = (session: Session) => {
    session.lastRefreshToken = session.refreshToken || null;
    session.accessToken = client.storedSecret("access token");
    session.refreshToken = client.storedSecret("refresh token");
    session.isExpired = false;
  };
  const toResponse = ({ accessToken, refreshToken, deviceId }: Session): Members => ({
    tokenType: "Bearer",
    accessToken,
    expiresIn: 300,
    refreshToken,
    refreshExpiresAt: new Date(Date.now() + 60 * DAY_MS).toISOString(),
    deviceId,
  });
  const findByAccess = ({ headers }: SeenRequest) =>
    sessions.find(
      ({ accessToken, isExpired }) =>
        !isExpired && headers.get("Authorization") === `Bearer ${accessToken}`,
    );
  const remove = (ended: Session | undefined) => {
    const before = sessions.length;
    sessions = sessions.filter((session) => session !== ended);
    return before - sessions.length;
  };

  return {
    allow(signIn) {
      const code = client.secret("authorization code");
      begun.set(code, signIn);
      return code;
    },
    redeem({ grantType, code, codeVerifier, redirectUri, attemptId }) {
      if (grantType !== "authorization_code") return "unsupported_grant_type";
      const signIn = begun.get(String(code));
      begun.delete(String(code));
      const isRight =
        signIn !== undefined &&
        signIn.codeChallenge === challengeOf(String(codeVerifier)) &&
        signIn.redirectUri === redirectUri &&
        signIn.attemptId === attemptId;
      if (!isRight) return "invalid_grant";
      const { deviceId } = signIn;
      sessions = sessions.filter((session) => session.deviceId !== deviceId);
      const session: Session = {
        deviceId,
        accessToken: "",
        refreshToken: "",
        lastRefreshToken: null,
        isExpired: false,
      };
      renew(session);
      sessions.push(session);
      return toResponse(session);
    },
    refresh(refreshToken) {
      const repeated = sessions.find(({ lastRefreshToken }) => lastRefreshToken === refreshToken);
      if (repeated !== undefined) return toResponse(repeated);
      const session = sessions.find((one) => one.refreshToken === refreshToken);
      if (session === undefined) return "invalid_refresh_token";
      renew(session);
      return toResponse(session);
    },
    isAccess: (request) => findByAccess(request) !== undefined,
    end: (request) => remove(findByAccess(request)),
    expireAccess() {
      for (const session of sessions) session.isExpired = true;
    },
    endAll() {
      sessions = [];
    },
    count: () => sessions.length,
    tokens: () => sessions.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]),
  };
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
