import { encodeBase64Url } from "../../rules/base64url.ts";
import { isSameText } from "../../rules/same-text.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import type { AccountKeys, Failed, KeyClient, KeyEntityResult } from "../sync/encryption.ts";
import type { HeldKeyStore } from "./held-keys.ts";
import { extendKeyEntity } from "./key-entity.ts";

/** The keys of a device, and the client that they serve. */
export interface KeyContext<F extends Failed> {
  readonly keys: HeldKeyStore;
  readonly client: KeyClient<F>;
}

/** From here on everything is sealed under these keys, also what was edited before there was a key. */
export async function adoptKeys<F extends Failed>(
  { keys, client: { device } }: KeyContext<F>,
  found: AccountKeys,
): Promise<void> {
  const lacksFormer = await keys.adopt(found);
  const { account } = keys.held();
  // Two devices replaced the key at once, and this one lost: what it sealed meanwhile must open elsewhere.
  if (lacksFormer && account !== null) {
    const revision = await device.takeRevision();
    await device.keep(parseOperation(extendKeyEntity(account, revision)), false);
  }
  const sealer = keys.sealer();
  if (sealer !== null) await device.unlock(sealer);
}

/** Whether the key is that of the account; the name key never changes, so another one is of another account. */
export function isOfAccount(
  result: KeyEntityResult,
  account: AccountKeys | null,
): result is Extract<KeyEntityResult, { kind: "account-key" }> {
  if (result.kind !== "account-key") return false;
  const { nameKey } = result.keys;
  return account === null || isSameText(encodeBase64Url(account.nameKey), encodeBase64Url(nameKey));
}
