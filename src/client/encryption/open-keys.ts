import { loadKeys } from "./adopt-keys.ts";
import { confirmKey } from "./check-key.ts";
import { createClientEncryption } from "./client-encryption.ts";
import type { ClientKeys } from "../sync/client-keys.ts";
import { createDeviceKeys } from "./device-keys.ts";
import type { DeviceEncryption } from "../sync/encryption.ts";
import { reviewPage } from "./review-page.ts";

export function openKeys(encryption: DeviceEncryption, onChange: () => void): ClientKeys {
  const keys = createDeviceKeys(encryption, onChange);
  const context = { encryption, keys };
  return {
    ...keys,
    takeOver: (store) => loadKeys(store, context),
    confirm: (pull) => confirmKey(pull, context),
    review: (store, page) => reviewPage(store, context, page),
    createClientEncryption: (client) => createClientEncryption({ ...client, ...context }),
  };
}
