/** The real thing: `trellis serve sync` as a process on a store of its own, and a device signed in at it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { openSyncStore } from "../../src/server/open-sync-store.ts";
import { createAdministration } from "../../src/sync/administration.ts";
import { postJson, signIn, type Ask } from "../../test/sync/sync-client.ts";
import { productCommand, startProgram, stopProcess } from "../processes.ts";
import { freePort } from "../trellis-server.ts";
import { fillStore } from "./fill-store.ts";

export interface FilledStore {
  readonly folder: string;
  readonly path: string;
  readonly operations: number;
  readonly entities: number;
  readonly fillSeconds: number;
  remove(): Promise<void>;
}

const ACCOUNT = { username: "owner", password: "a password for the bench" };
const REDIRECT_URI = "http://localhost:43823/callback";

/** A store with the account and so many operations. */
export async function createFilledStore(operations: number): Promise<FilledStore> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-bench-"));
  const path = join(folder, "sync.db");
  const store = await openSyncStore(`sqlite:${path}`, folder);
  await createAdministration(store, openKey(folder)).createAccount(
    ACCOUNT.username,
    ACCOUNT.password,
  );
  await store.close();
  const startedAt = performance.now();
  const { entities } = fillStore(path, operations);
  return {
    folder,
    path,
    operations,
    entities,
    fillSeconds: (performance.now() - startedAt) / 1000,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface SyncServer {
  readonly port: number;
  readonly pid: number;
  /** A token with some life left. */
  accessToken(): Promise<string>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const TOKEN_AGE_MS = 120_000;

export async function startSyncServer({ folder, path }: FilledStore): Promise<SyncServer> {
  const port = await freePort();
  const config = join(folder, "trellis.config.json");
  const sync = {
    listen: { port },
    baseUrl: `http://localhost:${port}`,
    displayName: "Bench",
    redirectUris: [REDIRECT_URI],
    store: `sqlite:${path}`,
    instanceKeyFile: keyPath(folder),
  };
  await writeFile(config, JSON.stringify({ dataDir: folder, sync }));
  const startedAt = performance.now();
  const child = startProgram(productCommand("serve", "sync", "--config", config), "free");
  const ask: Ask = (target, init) => fetch(`http://127.0.0.1:${port}${target}`, init);
  while (!(await isUp(ask))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS) {
      await stopProcess(child);
      throw new Error("`trellis serve sync` did not start");
    }
    await sleep(20);
  }
  let tokens: TokenResponse = await signIn(ask, {
    ...ACCOUNT,
    deviceId: "bench",
    redirectUri: REDIRECT_URI,
  });
  let madeAt = performance.now();
  return {
    port,
    pid: child.pid ?? 0,
    async accessToken() {
      if (performance.now() - madeAt > TOKEN_AGE_MS) {
        const body = { grantType: "refresh_token", refreshToken: tokens.refreshToken };
        tokens = (await (await postJson(ask, "/v1/refresh", body)).json()) as TokenResponse;
        madeAt = performance.now();
      }
      return tokens.accessToken;
    },
    stop: () => stopProcess(child),
  };
}

function keyPath(folder: string): string {
  return join(folder, "instance.key");
}

function openKey(folder: string) {
  return openInstanceKey(keyPath(folder));
}

async function isUp(ask: Ask): Promise<boolean> {
  try {
    return (await ask("/v1/health")).ok;
  } catch {
    return false;
  }
}
