/** The session of the device: one refresh at a time for all requests; refresh tokens stay in the storage. */
import type { Members } from "../../contract/is-object.ts";
import { isBearerToken } from "../transport/request-text.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { readSession, SESSION_KEY, writeRecord, type SessionRecord } from "./records.ts";
import {
  failure,
  requestSync,
  type RequestFailure,
  type SyncRequest,
  type SyncResponse,
} from "./request.ts";
import type { SyncSettings } from "./settings.ts";
import type { Tabs } from "./tabs.ts";

export type SignedIn = Extract<SessionRecord, { kind: "signed-in" }>;

type Access = Pick<SignedIn, "kind" | "accessToken">;

export type Tokens = ReturnType<typeof createTokens>;

/** A token that expires on the way would cost another request. */
const EXPIRY_MARGIN_MS = 15_000;

/** `closing` ends a refresh, and nothing else does: others may wait for it too. */
export function createTokens(
  settings: SyncSettings,
  store: LocalStore,
  tabs: Tabs,
  closing: AbortSignal,
) {
  const { now, baseUrl } = settings;
  let refreshing: Promise<SignedIn | RequestFailure> | null = null;

  /** Returns a valid access token; `refused` is a token that the server did not take. */
  async function getAccess(refused?: string): Promise<Access | RequestFailure> {
    const session = await requireSession(store, baseUrl);
    if (session.kind === "failed" || isUsable(session, now(), refused)) return session;
    refreshing ??= tabs
      .exclusive("refresh", () => refresh(settings, store, closing, refused))
      .finally(() => (refreshing = null));
    return refreshing;
  }

  return {
    getAccess,
    /** Sends a request with an access token, and once more with a new one if that is refused. */
    async request(request: Omit<SyncRequest, "accessToken">): Promise<SyncResponse> {
      const access = await getAccess();
      if (access.kind === "failed") return access;
      const { accessToken } = access;
      const response = await requestSync(settings, { ...request, accessToken });
      if (response.kind === "ok" || response.code !== "invalid_access_token") return response;
      const renewed = await getAccess(accessToken);
      if (renewed.kind === "failed") return renewed;
      return requestSync(settings, { ...request, accessToken: renewed.accessToken });
    },
  };
}

/** Runs in one tab at a time. A response that was lost is asked for again with the same token. */
async function refresh(
  settings: SyncSettings,
  store: LocalStore,
  signal: AbortSignal,
  refused?: string,
): Promise<SignedIn | RequestFailure> {
  const { baseUrl, now } = settings;
  const session = await requireSession(store, baseUrl);
  if (session.kind === "failed" || isUsable(session, now(), refused)) return session;
  const { refreshToken } = session;
  const response = await requestSync(settings, {
    path: "/v1/refresh",
    method: "POST",
    body: JSON.stringify({ grantType: "refresh_token", refreshToken }),
    signal,
  });
  if (response.kind === "failed" && response.code !== "invalid_refresh_token") return response;
  const renewed = response.kind === "ok" ? readSessionResponse(response.value, now()) : null;
  if (response.kind === "ok" && renewed === null) return failure(syncError("not-a-sync-server"));
  const next: SessionRecord = renewed ?? { kind: "sign-in-needed" };
  const current = await store.write(async (transaction) => {
    const stored = await readSession(transaction, baseUrl);
    // The person has signed out, or in again, in the meantime.
    if (stored?.kind !== "signed-in" || stored.refreshToken !== refreshToken) return stored;
    writeRecord(transaction, SESSION_KEY, next);
    return next;
  });
  return signedIn(current);
}

function isUsable({ accessToken, accessExpiresAt }: SignedIn, now: number, refused?: string) {
  return accessToken !== refused && accessExpiresAt - now > EXPIRY_MARGIN_MS;
}

async function requireSession(
  store: LocalStore,
  baseUrl: string,
): Promise<SignedIn | RequestFailure> {
  return signedIn(await store.read((transaction) => readSession(transaction, baseUrl)));
}

function signedIn(session: SessionRecord | undefined): SignedIn | RequestFailure {
  if (session?.kind === "signed-in") return session;
  return failure(syncError(session?.kind ?? "signed-out"));
}

/** Null when the response is not that of a token route. */
export function readSessionResponse(response: Members, now: number): SignedIn | null {
  const { accessToken, refreshToken, expiresIn } = response;
  if (!isBearerToken(accessToken) || !isBearerToken(refreshToken)) return null;
  if (typeof expiresIn !== "number" || !(expiresIn >= 0)) return null;
  return {
    kind: "signed-in",
    accessToken,
    accessExpiresAt: now + expiresIn * 1000,
    refreshToken,
  };
}
