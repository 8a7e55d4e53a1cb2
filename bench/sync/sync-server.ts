/** `trellis serve sync` as a process on a store of its own, with a signed-in device. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";
import type { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { createAccessTokens } from "../../src/sync/devices/access-tokens.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createAdministration } from "../../src/sync/maintenance/administration.ts";
import { approveSignIn } from "../../test/sync/approve-sign-in.ts";
import { postJson, signIn, type Ask } from "../../test/sync/sync-client.ts";
import { createFolder } from "../create-folder.ts";
import { freePort, startService, type RunningService } from "../processes.ts";
import { addDevices } from "./device-sessions.ts";
import { entityCount } from "./fill-store.ts";
import type { BenchedStore } from "./store-kinds.ts";

export interface FilledStore {
  readonly folder: string;
  readonly address: string;
  readonly entities: number;
  readonly fillSeconds: number;
  /** The access token of each device. */
  readonly tokens: readonly string[];
  remove(): Promise<void>;
}

const ACCOUNT = { username: "owner", password: "a password for the bench" };
export const REDIRECT_URI = "http://localhost:43823/callback";

/** A store with the account and so many operations, and with another device for each of `others`. */
export async function createFilledStore(
  kind: BenchedStore,
  operations: number,
  others: readonly string[] = [],
): Promise<FilledStore> {
  const { path: folder, remove } = await createFolder();
  const address = await kind.createAddress(folder);
  const store = await openSyncStore(address, folder);
  const instanceKey = openInstanceKey(keyPath(folder));
  const { createAccount } = createAdministration(store, instanceKey);
  await createAccount(ACCOUNT.username, ACCOUNT.password);
  const { create } = createAccessTokens(instanceKey);
  const devices = ["bench", ...others].map((deviceId) => ({
    deviceId,
    token: create(randomBytes),
  }));
  await addDevices(store, devices);
  await store.close();
  const startedAt = performance.now();
  await kind.fill(address, operations);
  return {
    folder,
    address,
    entities: entityCount(operations),
    tokens: devices.map(({ token }) => token),
    fillSeconds: (performance.now() - startedAt) / 1000,
    remove,
  };
}

export interface SyncServer extends RunningService {
  readonly port: number;
  /** That of a device of its store. */
  readonly token: string;
  /** Signs a device of the account in, and returns a refresh token of it that it has used. */
  usedRefreshToken(deviceId: string): Promise<string>;
}

export interface ServerSettings {
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly profile?: SyncProfile;
}

export async function startSyncServer(
  { folder, address, tokens }: FilledStore,
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
  const refresh = async ({ refreshToken }: TokenResponse) => {
    const body = { grantType: "refresh_token", refreshToken };
    return (await (await postJson(ask, "/v1/refresh", body)).json()) as TokenResponse;
  };
  return {
    ...started,
    port,
    token: tokens[0] ?? "",
    async usedRefreshToken(deviceId) {
      const first = await signIn(ask, { ...ACCOUNT, deviceId, redirectUri: REDIRECT_URI });
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
