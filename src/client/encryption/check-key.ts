/** Holds a key that was never checked against the log, before anything is stored or sent. */
import { adoptKeys, isOfAccount, type KeyContext } from "./adopt-keys.ts";
import type { KeyEntityResult } from "../sync/encryption.ts";
import { syncError } from "../sync/errors.ts";
import { keyNeeded } from "./key-error.ts";
import { isOfKeyEntity, readKeyOperations } from "./key-operations.ts";
import { createPulledPages, requestPage, type PullContext } from "../sync/pull.ts";
import { failure, type RequestFailure } from "../sync/request.ts";

export interface LogReport {
  readonly kind: "log";
  /** Whether the account has no operation, neither on the server nor on this device. */
  readonly isEmpty: boolean;
  readonly keyEntity: KeyEntityResult;
}

/**
 * Reads the log from its start, only as far as it takes to find that the key is the account's: the create of
 * the key entity is its first operation.
 */
export async function checkKey(
  context: PullContext,
  { encryption, keys }: KeyContext,
  dataKey: Uint8Array,
): Promise<LogReport | RequestFailure> {
  const operations = [...(await context.store.read(readKeyOperations))];
  const pages = createPulledPages();
  let isEmpty = operations.length === 0;
  let cursor: string | null = null;
  for (let isRead = false; ;) {
    const keyEntity = encryption.readKeyEntity(operations, dataKey);
    if (isRead || isOfAccount(keyEntity, keys.held().account)) {
      return { kind: "log", isEmpty, keyEntity };
    }
    const page = await requestPage(context, pages, { cursor, epoch: 0 });
    if (page.kind === "failed") return page;
    if (page.kind === "lost-history") return failure(syncError("unstable-log"));
    isEmpty &&= page.operations.length === 0;
    operations.push(...page.operations.filter(isOfKeyEntity));
    isRead = !page.isFull;
    ({ cursor } = page);
  }
}

/** Confirms a key that was entered or made on this device. Null when the device holds the account's key. */
export async function confirmKey(
  context: PullContext,
  keyContext: KeyContext,
): Promise<RequestFailure | null> {
  const { keys } = keyContext;
  const { account, isReplaced, candidate } = keys.held();
  if (account !== null && !isReplaced) return null;
  const clearError = await context.store.read(keyContext.encryption.findClearError);
  if (clearError !== null) return failure(clearError);
  if (candidate === null) return failure(keyNeeded(isReplaced));
  const report = await checkKey(context, keyContext, candidate.dataKey);
  if (report.kind === "failed") return report;
  const { keyEntity } = report;
  if (isOfAccount(keyEntity, account)) {
    await adoptKeys(context.store, keyContext, keyEntity.keys);
    return null;
  }
  // A server that was restored to before the key entity gets it back from a device that has it, and one that
  // withholds a rotation of this device must not make it forget the only copy of the key.
  const mayBeLater = keyEntity.kind === "missing" || (isReplaced && candidate.isMade);
  if (!mayBeLater) await keys.save({ candidate: null });
  return failure(keyNeeded(isReplaced));
}
