import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SyncInput } from "../../conformance/index.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { createSyncService } from "../../src/sync/service.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { addSyncPasskey } from "../sync/add-passkey.ts";
import { ACCOUNT, type SyncBreak } from "./breaks/sync-break.ts";
import { breakService, serveBroken } from "./serve-broken.ts";

const PUBLIC_URL = "https://sync.example.org";
const CORS_ORIGIN = "https://app.example.org";
const REDIRECT_URI = "http://localhost:43823/callback";

export interface BrokenSyncServers {
  /** Serves a new store with the break in place. */
  serve<T>(broken: SyncBreak | null, use: (input: SyncInput) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function createBrokenSyncServers(): Promise<BrokenSyncServers> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-broken-sync-"));
  const instanceKey = createInstanceKey(new Uint8Array(32).fill(7));
  const template = join(folder, "template.db");
  // One account and salt for all servers: the slow key derivation then runs once.
  const store = await openSyncStore(`sqlite:${template}`, folder);
  await addSyncAccount(store, instanceKey, ACCOUNT);
  const passkey = await addSyncPasskey(store, instanceKey, PUBLIC_URL, Date.now());
  await store.close();
  let count = 0;

  return {
    async serve(broken, use) {
      const own = join(folder, String(++count));
      await mkdir(own);
      await copyFile(template, join(own, "sync.db"));
      const real = await openSyncStore(`sqlite:${join(own, "sync.db")}`, own);
      const service = createSyncService({
        instanceKey,
        baseUrl: PUBLIC_URL,
        displayName: "My sync",
        redirectUris: [REDIRECT_URI],
        corsOrigins: [CORS_ORIGIN],
        limits: { authorizePerMinute: 100_000 },
        ...broken?.options,
        store: broken?.store?.(real) ?? real,
      });
      const response = broken?.createResponder?.(passkey) ?? broken?.respond;
      const listener = await serveBroken(breakService(service.http, response), broken?.tamper);
      try {
        return await use({
          ...ACCOUNT,
          baseUrl: listener.url,
          publicUrl: PUBLIC_URL,
          displayName: "My sync",
          redirectUri: REDIRECT_URI,
          corsOrigin: CORS_ORIGIN,
          passkey,
          allowRevokeAll: true,
          allowThrottle: true,
        });
      } finally {
        listener.close();
        await service.close();
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
