/**
 * What a pulled page says to a device whose key was once checked. It leaves the key only for an authentic
 * `next`, whatever a server shows: another create of the key entity ends the round, and other forgeries of
 * it are left out.
 */
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { adoptKeys, isOfAccount, type KeyContext } from "./adopt-keys.ts";
import { keyError, keyNeeded } from "./key-error.ts";
import { isOfKeyEntity, keepUnknown, readKeyOperations } from "./key-operations.ts";
import type { LocalStore } from "../sync/local-store.ts";
import type { PulledPage } from "../sync/merge-page.ts";
import { failure, type RequestFailure } from "../sync/request.ts";

/** Returns the page without forgeries; a failure when nothing of it is to be taken in. */
export async function reviewPage<Page extends PulledPage>(
  store: LocalStore,
  keyContext: KeyContext,
  page: Page,
): Promise<Page | RequestFailure> {
  const { encryption, keys } = keyContext;
  const { account } = keys.held();
  if (account === null || !page.operations.some(isOfKeyEntity)) return page;
  const isForged = (operation: ParsedOperation) =>
    isOfKeyEntity(operation) && !encryption.isAuthentic(operation, account);
  if (page.operations.some((operation) => operation.kind === "create" && isForged(operation))) {
    return failure(keyError("other-key"));
  }
  const operations = page.operations.filter((operation) => !isForged(operation));
  const known = [...(await store.read(readKeyOperations)), ...operations.filter(isOfKeyEntity)];
  const isHeld = await followKeys(store, keyContext, known);
  return isHeld ? { ...page, operations } : failure(keyNeeded(true));
}

/** Returns whether the device holds the key that the operations lead to. */
async function followKeys(
  store: LocalStore,
  keyContext: KeyContext,
  known: readonly ParsedOperation[],
): Promise<boolean> {
  const { encryption, keys } = keyContext;
  const { account, candidate } = keys.held();
  if (account === null) return false;
  const result = encryption.readKeyEntity(known, account.dataKey);
  // A device that lost a race of two rotations has added the key that it had sealed with meanwhile.
  const isLonger = isOfAccount(result, account) && result.keys.former.size !== account.former.size;
  if (isLonger) await adoptKeys(store, keyContext, result.keys);
  if (result.kind !== "replaced") return true;
  // A rotation of this device whose response was lost has left its key as the candidate.
  const next = candidate && encryption.readKeyEntity(known, candidate.dataKey);
  if (next !== null && isOfAccount(next, account)) {
    await adoptKeys(store, keyContext, next.keys);
    return true;
  }
  // Of a server that is then rolled back, these lead to the next key, and this one does not return.
  await store.write((transaction) => keepUnknown(transaction, known));
  await keys.save({ isReplaced: true });
  return false;
}
