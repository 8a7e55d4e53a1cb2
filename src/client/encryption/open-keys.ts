import type { DeviceKeys, Failed, KeyClient, KeyStore } from "../sync/encryption.ts";
import { confirmKey } from "./check-key.ts";
import { createCommands } from "./commands.ts";
import { createHeldKeys } from "./held-keys.ts";
import { reviewPage } from "./review-page.ts";

export function openKeys<F extends Failed>(
  keyStore: KeyStore,
  client: KeyClient<F>,
): DeviceKeys<F> {
  const keys = createHeldKeys(keyStore, client.onChange);
  const context = { keys, client };

  async function takeOver(): Promise<void> {
    const before = keys.sealer();
    await keys.load(client.device.deviceId());
    const sealer = keys.sealer();
    if (sealer !== null && sealer !== before) await client.device.unlock(sealer);
  }

  return {
    load: keys.load,
    takeOver,
    remove: keys.remove,
    sealer: keys.sealer,
    isNeeded: keys.isNeeded,
    confirm: (server) => confirmKey(context, server),
    review: (operations) => reviewPage(context, operations),
    commands: createCommands(context, takeOver),
  };
}
