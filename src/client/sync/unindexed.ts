/** What was written since the stored indexes were: the record of the device names it. */
import {
  INDEX_PREFIX,
  PAGE_RECORDS,
  prefixRange,
  type DeviceRecord,
  type Unindexed,
} from "./records.ts";
import type { StorageTransaction } from "./storage.ts";

/** Indexes that lack more entities are of no use: each edit would write the ids again, and each query read them. */
export const MAX_UNINDEXED = 200;

/** Undefined when a client that knows no indexes has written since. */
export function findUnindexed({ indexes, writes }: DeviceRecord): Unindexed | undefined {
  return indexes?.writes === writes ? indexes : undefined;
}

/** Notes what one more write changed; undefined when the indexes are of no use any more. */
export function addUnindexed(
  before: DeviceRecord,
  indexes: Unindexed | undefined,
  changed: Iterable<string>,
): Unindexed | undefined {
  if (indexes?.writes !== before.writes) return undefined;
  const recordIds = [...new Set([...indexes.recordIds, ...changed])];
  return recordIds.length > MAX_UNINDEXED
    ? undefined
    : { ...indexes, writes: before.writes + 1, recordIds };
}

/** The values of rows must not outlive that the app encrypts them. */
export async function removeIndexes(
  transaction: Pick<StorageTransaction, "list" | "delete">,
): Promise<void> {
  for (;;) {
    const records = await transaction.list(prefixRange(INDEX_PREFIX, PAGE_RECORDS));
    for (const [key] of records) transaction.delete(key);
    if (records.length < PAGE_RECORDS) return;
  }
}
