/** A sync service on a store, with a clock that the test sets. */
import { hash, randomBytes } from "node:crypto";
import { toFetchResponse } from "../../../src/http/fetch.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { createSyncService } from "../../../src/sync/service.ts";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { createAccessTokens } from "../../../src/sync/devices/access-tokens.ts";
import { createAdministration } from "../../../src/sync/maintenance/administration.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import type { Deviations } from "../../../conformance/authenticator.ts";
import { addSyncAccount } from "../add-account.ts";
import { addSyncPasskey } from "../add-passkey.ts";
import { postJson, VERIFIER, type Ask, type SignInOptions } from "../sync-client.ts";

export const START = Date.UTC(2026, 7, 21, 10);
export const ANNA = { username: "anna", password: "correct horse battery staple" };
export const BASE_URL = "http://localhost:4811";
export const REDIRECT_URI = "http://localhost:43823/callback";
const KEY = createInstanceKey(randomBytes(32));
const ACCESS_TOKENS = createAccessTokens(KEY);

export type SyncTestService = Awaited<ReturnType<typeof startSyncService>>;

/** The store must be empty, or that of an earlier service. */
export async function startSyncService(
  store: SqlSyncStore,
  options: Partial<SyncServiceOptions> = {},
) {
  const clock = { now: START };
  const now = () => clock.now;
  const administration = createAdministration(store, KEY, now);
  if ((await administration.findAccount()) === null) await addSyncAccount(store, KEY, ANNA);
  const service = createSyncService({
    store,
    instanceKey: KEY,
    baseUrl: BASE_URL,
    displayName: "My sync",
    redirectUris: [REDIRECT_URI],
    now,
    ...options,
  });
  /** From an address, as a trusted proxy forwards it. */
  const askFrom =
    (address: string): Ask =>
    async (path, init = {}) => {
      const request = new Request(`${BASE_URL}${path}`, init);
      const response = await service.http.respond({
        method: request.method,
        target: path,
        header: (name) => request.headers.get(name),
        remoteAddress: address,
        body: async function* () {
          yield new Uint8Array(await request.arrayBuffer());
        },
      });
      return toFetchResponse(response);
    };
  /** A new passkey of the account, which no page has asked for. */
  const addPasskey = (given: Deviations = {}) =>
    addSyncPasskey(store, KEY, options.baseUrl ?? BASE_URL, clock.now, given);
  return { clock, administration, service, addPasskey, askFrom, ask: askFrom("192.0.2.1") };
}

/** An access token that the services of the tests take for one of theirs, always the same for a device. */
export function accessTokenOf(device: string): string {
  return ACCESS_TOKENS.create(() => Uint8Array.from(hash("sha256", device, "buffer")));
}

export function signInOptions(given: Partial<SignInOptions> = {}): SignInOptions {
  return { ...ANNA, deviceId: "phone", redirectUri: REDIRECT_URI, ...given };
}

export function redeem(ask: Ask, code: string, attemptId: string): Promise<Response> {
  return postJson(ask, "/v1/token", {
    grantType: "authorization_code",
    code,
    codeVerifier: VERIFIER,
    redirectUri: REDIRECT_URI,
    attemptId,
  });
}
