/**
 * What a pulled page says to a device whose key was once checked. It leaves the key only for an authentic
 * `next`, whatever a server shows: another create of the key entity ends the round, and other forgeries of
 * it are left out.
 */
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import type { Failed } from "../sync/encryption.ts";
import { adoptKeys, isOfAccount, type KeyContext } from "./adopt-keys.ts";
import { isAuthentic, isOfKeyEntity, readKeyEntity } from "./read-key-entity.ts";

interface ReviewedPage {
  readonly kind: "reviewed";
  readonly operations: readonly ParsedOperation[];
}

/** Leaves forgeries out; a failure when nothing of the page is to be taken in. */
export async function reviewPage<F extends Failed>(
  context: KeyContext<F>,
  pulled: readonly ParsedOperation[],
): Promise<ReviewedPage | F> {
  const { keys, client } = context;
  const { account } = keys.held();
  if (account === null || !pulled.some(isOfKeyEntity)) {
    return { kind: "reviewed", operations: pulled };
  }
  const isForged = (operation: ParsedOperation) =>
    isOfKeyEntity(operation) && !isAuthentic(operation, account);
  if (pulled.some((operation) => operation.kind === "create" && isForged(operation))) {
    return client.fail("other-key");
  }
  const operations = pulled.filter((operation) => !isForged(operation));
  const known = await client.device.readKeyOperations();
  const isHeld = await followKeys(context, [...known, ...operations.filter(isOfKeyEntity)]);
  return isHeld ? { kind: "reviewed", operations } : client.fail("key-needed");
}

/** Returns whether the device holds the key that the operations lead to. */
async function followKeys<F extends Failed>(
  context: KeyContext<F>,
  known: readonly ParsedOperation[],
): Promise<boolean> {
  const { keys } = context;
  const { account, candidate } = keys.held();
  if (account === null) return false;
  const result = readKeyEntity(known, account.dataKey);
  // A device that lost a race of two rotations has added the key that it had sealed with meanwhile.
  const isOther = isOfAccount(result, account) && result.keys.former.size !== account.former.size;
  if (isOther) await adoptKeys(context, result.keys);
  if (result.kind !== "replaced") return true;
  // A rotation of this device whose response was lost has left its key as the candidate.
  const next = candidate && readKeyEntity(known, candidate.dataKey);
  if (next !== null && isOfAccount(next, account)) {
    await adoptKeys(context, next.keys);
    return true;
  }
  await keys.save({ isReplaced: true });
  return false;
}
