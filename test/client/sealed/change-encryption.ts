import { openKeys } from "../../../src/client/encryption/open-keys.ts";
import type { SyncEncryption } from "../../../src/client/sync/client-keys.ts";
import type { DeviceEncryption } from "../../../src/client/sync/encryption.ts";

/** The encryption with some of its parts replaced, also where its own keys use them. */
export function changeEncryption(
  encryption: SyncEncryption,
  change: Partial<DeviceEncryption>,
): SyncEncryption {
  const changed = { ...encryption, ...change };
  return { ...changed, openKeys: (onChange) => openKeys(changed, onChange) };
}
