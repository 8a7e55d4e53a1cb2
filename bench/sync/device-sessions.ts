/** Signed-in devices of a store. Their tokens live for a whole run: those of a sign-in live for five minutes. */
import { DAY_MS } from "../../src/contract/durations.ts";
import { hashSecret } from "../../src/identity/one-time-secrets.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import type { SyncStore } from "../../src/sync/store.ts";

export interface BenchDevice {
  readonly deviceId: string;
  /** The access token that it gets. */
  readonly token: string;
}

export async function addDevices(
  store: Pick<SyncStore, "transaction">,
  devices: readonly BenchDevice[],
): Promise<void> {
  const now = Date.now();
  const expiresAt = now + DAY_MS;
  await store.transaction(async ({ sessions }) => {
    for (const { deviceId, token } of devices) {
      const family = Buffer.from(randomBytes(16)).toString("base64url");
      await sessions.open({
        family,
        deviceId,
        counter: 0,
        refreshHash: `hash of ${family}`,
        createdAt: now,
        rotatedAt: now,
        lastUsedAt: now,
        idleExpiresAt: expiresAt,
        absoluteExpiresAt: expiresAt,
      });
      await sessions.addAccess(family, { hash: hashSecret(token), expiresAt });
    }
  });
}
