/** Fills the log of a new store by SQL, without waiting for the disk. */
import { DatabaseSync } from "node:sqlite";
import { entityStateToText } from "../../src/rules/sync/entity-state-text.ts";
import { applyOperation } from "../../src/rules/sync/merge.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { createText, entityIdOf, patchText } from "./operations.ts";

const DEVICE = "0d6f7b6e-fill";
const MAX_ENTITIES = 100_000;

/** Creates up to 100,000 entities, then changes them in turn until the log is as long as it should be. */
export function fillStore(path: string, length: number): { readonly entities: number } {
  const entities = Math.min(length, MAX_ENTITIES);
  const handle = new DatabaseSync(path);
  handle.exec("pragma synchronous = off; pragma cache_size = -131072; begin");
  const operation = handle.prepare("insert into sync_operations values (?, ?, ?, ?)");
  const ledger = handle.prepare("insert into sync_ledger values (?, '', ?)");
  const entity = handle.prepare("insert into sync_entities values (?, ?)");
  const receivedAt = Date.now();
  for (let offset = 1; offset <= length; offset++) {
    const number = (offset - 1) % entities;
    const isCreate = offset <= entities;
    const text = (isCreate ? createText : patchText)(DEVICE, offset, number);
    operation.run(offset, entityIdOf(DEVICE, number), text, receivedAt);
    ledger.run(`operation/${DEVICE}/${offset}`, offset);
    // The last operation of each entity makes its state: every change replaces the one before.
    if (offset > length - entities) {
      entity.run(entityIdOf(DEVICE, number), stateText(number, isCreate ? null : text));
    }
  }
  handle.prepare("update sync_log set head_offset = ?").run(length);
  handle.exec("commit; pragma wal_checkpoint(truncate)");
  handle.close();
  return { entities };
}

function stateText(number: number, change: string | null): string {
  const created = parseOperation(createText(DEVICE, number + 1, number));
  const { state } = applyOperation(null, created);
  return entityStateToText(
    change === null ? state : applyOperation(state, parseOperation(change)).state,
  );
}
