/** `trellis serve sync` as a process on a store of its own, with a signed-in device. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";
import type { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createAdministration } from "../../src/sync/maintenance/administration.ts";
import { approveSignIn } from "../../test/sync/approve-sign-in.ts";
import { postJson, signIn, type Ask } from "../../test/sync/sync-client.ts";
import { createFolder } from "../create-folder.ts";
import { freePort, startService, type RunningService } from "../processes.ts";
import { entityCount } from "./fill-store.ts";
import type { BenchedStore } from "./store-kinds.ts";

export interface FilledStore {
  readonly folder: string;
  readonly address: string;
  readonly entities: number;
  readonly fillSeconds: number;
  remove(): Promise<void>;
}

const ACCOUNT = { username: "owner", password: "a password for the bench" };
export const REDIRECT_URI = "http://localhost:43823/callback";

/** A store with the account and so many operations. */
export async function createFilledStore(
  kind: BenchedStore,
  operations: number,
): Promise<FilledStore> {
  const { path: folder, remove } = await createFolder();
  const address = await kind.createAddress(folder);
  const store = await openSyncStore(address, folder);
  const { createAccount } = createAdministration(store, openInstanceKey(keyPath(folder)));
  await createAccount(ACCOUNT.username, ACCOUNT.password);
  await store.close();
  const startedAt = performance.now();
  await kind.fill(address, operations);
  return {
    folder,
    address,
    entities: entityCount(operations),
    fillSeconds: (performance.now() - startedAt) / 1000,
    remove,
  };
}

export interface SyncServer extends RunningService {
  readonly port: number;
  /** A token with some life left. */
  accessToken(): Promise<string>;
  /** Signs a device of the account in, and returns a refresh token of it that it has used. */
  usedRefreshToken(deviceId: string): Promise<string>;
}

export interface ServerSettings {
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly profile?: SyncProfile;
}

const TOKEN_AGE_MS = 120_000;

export async function startSyncServer(
  { folder, address }: FilledStore,
  words: readonly string[] = [],
  { corsOrigins = [], trustedProxies = [], profile = "habits" }: ServerSettings = {},
): Promise<SyncServer> {
  const port = await freePort();
  const config = join(folder, "trellis.config.json");
  const sync = {
    listen: { port },
    baseUrl: `http://localhost:${port}`,
    displayName: "Bench",
    redirectUris: [REDIRECT_URI],
    corsOrigins,
    profile,
    store: address,
    instanceKeyFile: keyPath(folder),
  };
  await writeFile(config, JSON.stringify({ dataDir: folder, trustedProxies, sync }));
  const url = `http://127.0.0.1:${port}`;
  const started = await startService("sync", config, `${url}/v1/health`, "free", words);
  const ask: Ask = (target, init) => fetch(url + target, init);
  const signInAs = (deviceId: string) =>
    signIn(ask, { ...ACCOUNT, deviceId, redirectUri: REDIRECT_URI });
  const refresh = async ({ refreshToken }: TokenResponse) => {
    const body = { grantType: "refresh_token", refreshToken };
    return (await (await postJson(ask, "/v1/refresh", body)).json()) as TokenResponse;
  };
  let tokens: TokenResponse = await signInAs("bench");
  let madeAt = performance.now();
  return {
    ...started,
    port,
    async accessToken() {
      if (performance.now() - madeAt > TOKEN_AGE_MS) {
        tokens = await refresh(tokens);
        madeAt = performance.now();
      }
      return tokens.accessToken;
    },
    async usedRefreshToken(deviceId) {
      const first = await signInAs(deviceId);
      // The successor is used too, so that the first is not taken for the retry of a lost response.
      await refresh(await refresh(first));
      return first.refreshToken;
    },
  };
}

/** Does what the sign-in page at this address does, and returns the address that it leads to. */
export function signInOnPage(page: string): Promise<string> {
  return approveSignIn(page, ACCOUNT);
}

function keyPath(folder: string): string {
  return join(folder, "instance.key");
}
