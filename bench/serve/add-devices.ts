/** Signed-in devices of a store, whose tokens live for the whole run. */
import { join } from "node:path";
import { DAY_MS } from "../../src/contract/durations.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { hashSecret } from "../../src/identity/one-time-secrets.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { createAccessTokens } from "../../src/sync/devices/access-tokens.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import type { FilledStore } from "../sync/sync-server.ts";

/** Returns a token of each. */
export async function addDevices(
  { address, folder }: FilledStore,
  count: number,
): Promise<string[]> {
  const store = await openSyncStore(address, folder);
  const tokens = createAccessTokens(openInstanceKey(join(folder, "instance.key")));
  const now = Date.now();
  const expiresAt = now + DAY_MS;
  const made = Array.from({ length: count }, () => tokens.create(randomBytes));
  await store.transaction(async ({ sessions }) => {
    for (const [index, token] of made.entries()) {
      const family = Buffer.from(randomBytes(16)).toString("base64url");
      await sessions.open({
        family,
        deviceId: `streaming-${index}`,
        counter: 0,
        refreshHash: `hash-${index}`,
        createdAt: now,
        rotatedAt: now,
        lastUsedAt: now,
        idleExpiresAt: expiresAt,
        absoluteExpiresAt: expiresAt,
      });
      await sessions.addAccess(family, { hash: hashSecret(token), expiresAt });
    }
  });
  await store.close();
  return made;
}
