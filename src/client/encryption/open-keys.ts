import { createClientEncryption } from "./client-encryption.ts";
import type { ClientKeys } from "../sync/client-keys.ts";
import { createDeviceKeys } from "./device-keys.ts";
import type { DeviceEncryption } from "../sync/encryption.ts";
import type { KeysRecord } from "../sync/keys-record.ts";
import { followList } from "./follow-list.ts";
import { loadKeys } from "./key-context.ts";
import { toKeyProof } from "./key-proof.ts";
import { createKeyStates, findKeyNeed } from "./key-state.ts";

export function openKeys(encryption: DeviceEncryption, onChange: () => void): ClientKeys {
  const keys = createDeviceKeys(encryption, onChange);
  const context = { encryption, keys };
  const toKeyState = createKeyStates(keys);
  /** Whether this client has compared the lists; then a page and a push tell of another key. */
  let isCompared = false;
  const current = (record: KeysRecord) => keys.account(record)?.at(-1) ?? null;
  return {
    async load(deviceId, record) {
      await keys.load(deviceId);
      return keys.form(record);
    },
    findNeed: (record) =>
      keys.held().candidate === null ? findKeyNeed(toKeyState(record), record) : null,
    takeOver: (store) => loadKeys(store, context),
    async begin(pull) {
      if (isCompared && toKeyState(pull.store.facts().keys).kind === "ready") return null;
      const failure = await followList(pull, context);
      isCompared = failure === null;
      return failure;
    },
    forget() {
      isCompared = false;
    },
    keyId: (record) => current(record)?.id ?? null,
    proof(record) {
      const key = current(record);
      if (key === null) throw new Error("The device has no key");
      return toKeyProof(key);
    },
    remove: keys.remove,
    createClientEncryption: (client) =>
      createClientEncryption({ ...client, ...context, toKeyState }),
  };
}
