import { encodeBase64Url } from "../../rules/base64url.ts";
import { isSameText } from "../../rules/same-text.ts";
import type { DeviceKeys } from "./device-keys.ts";
import type { AccountKeys, KeyEntityResult, DeviceEncryption } from "../sync/encryption.ts";
import { queueKeyOperation } from "./key-operations.ts";
import type { LocalStore } from "../sync/local-store.ts";

/** The keys of a device, and what they are used with. */
export interface KeyContext {
  readonly encryption: DeviceEncryption;
  readonly keys: DeviceKeys;
}

/** From here on everything is sealed under these keys, also what was edited before there was a key. */
export async function adoptKeys(
  store: LocalStore,
  keyContext: KeyContext,
  found: AccountKeys,
): Promise<void> {
  const { encryption, keys } = keyContext;
  const lacksFormer = await keys.adopt(found);
  const { account } = keys.held();
  // Two devices replaced the key at once, and this one lost: what it sealed meanwhile must open elsewhere.
  if (lacksFormer && account !== null) {
    await store.write((transaction) =>
      queueKeyOperation(transaction, (revision) => encryption.extendKeyEntity(account, revision)),
    );
  }
  const sealer = keys.sealer();
  if (sealer !== null) await store.unlock(sealer);
}

/** Takes over what another tab has stored in the KeyStore, or the keys of the device that this one has become. */
export async function loadKeys(store: LocalStore, { keys }: KeyContext): Promise<void> {
  const before = keys.sealer();
  await keys.load(store.facts().deviceId);
  const sealer = keys.sealer();
  if (sealer !== null && (sealer !== before || store.form().kind === "locked")) {
    await store.unlock(sealer);
  }
}

/** Whether the key is that of the account; the name key never changes, so another one is of another account. */
export function isOfAccount(
  result: KeyEntityResult,
  account: AccountKeys | null,
): result is Extract<KeyEntityResult, { kind: "account-key" }> {
  if (result.kind !== "account-key") return false;
  return (
    account === null ||
    isSameText(encodeBase64Url(account.nameKey), encodeBase64Url(result.keys.nameKey))
  );
}
