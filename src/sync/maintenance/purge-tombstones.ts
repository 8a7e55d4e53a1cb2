/**
 * Removes entities that were deleted long ago. Unlike compaction, devices notice: one that was away
 * since before keeps its copies. So the log moves: what stays gets offsets above every one that a
 * device has seen, and a device below them starts over, once.
 */
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { freePages } from "../../database/disk-space.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { isWithoutRegisters } from "../../rules/sync/entity-state-text.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { compareRevisions } from "../../rules/sync/operation.ts";
import { listRowIds } from "../log/entity-rows.ts";
import type { SqlSyncStore } from "../sql/open-sql-store.ts";
import { CHANGES_CHANNEL, markHead, readHead, type StoredHead } from "../sql/log-head.ts";
import { FIRST_ROWS, readStateRows, readStates } from "../sql/read-states.ts";
import { removeOperations } from "./compact.ts";

export interface PurgePlan {
  /** The revision of the delete, by entity id. */
  readonly tombstones: ReadonlyMap<string, Revision>;
  /** How many entities remain: live, deleted later, or without their create. */
  readonly remaining: number;
}

export interface PurgeReport {
  readonly removedTombstones: number;
  readonly removedOperations: number;
  readonly remaining: number;
  readonly freedBytes: number;
}

const BATCH_ROWS = 500;

/** Plans the purge of the entities whose last delete was received before that time. Changes nothing. */
export async function planPurge(database: Database, before: number): Promise<PurgePlan> {
  const tombstones = new Map<string, Revision>();
  const deletes = new Map<string, Revision>();
  const collectDecided = async () => {
    for (const [id, revision] of await findDecided(database, deletes)) tombstones.set(id, revision);
    deletes.clear();
  };
  const rows = database.stream<{ body: string }>(
    "SELECT body FROM sync_operations WHERE instance = $instance AND received_at < $1",
    [before],
  );
  for await (const { body } of rows) {
    const { kind, entityId, revision } = parseOperation(body);
    const known = deletes.get(entityId);
    if (kind !== "delete" || (known && compareRevisions(known, revision) > 0)) continue;
    deletes.set(entityId, revision);
    if (deletes.size === BATCH_ROWS) await collectDecided();
  }
  await collectDecided();
  return { tombstones, remaining: (await countEntities(database)) - tombstones.size };
}

/** Purges the planned tombstones that still are tombstones, in one transaction. */
export async function purgeTombstones(
  { database, highWater }: Pick<SqlSyncStore, "database" | "highWater">,
  plan: PurgePlan,
): Promise<PurgeReport> {
  const result = await database.transaction(async (tx) => {
    const decided = await findDecided(tx, plan.tombstones);
    if (decided.size === 0) return { tombstones: 0, operations: 0, head: null };
    const operations = await removeEntities(tx, new Set(decided.keys()));
    tx.notify(CHANGES_CHANNEL);
    return { tombstones: decided.size, operations, head: await moveLog(tx) };
  });
  if (result.head !== null) highWater.write(result.head);
  return {
    removedTombstones: result.tombstones,
    removedOperations: result.operations,
    remaining: await countEntities(database),
    freedBytes: await freePages(database),
  };
}

/** Returns the deletes by which their entities are still deleted. */
async function findDecided(
  store: Queryable,
  deletes: ReadonlyMap<string, Revision>,
): Promise<Map<string, Revision>> {
  const decided = new Map<string, Revision>();
  const ids = [...deletes.keys()];
  for (let start = 0; start < ids.length; start += BATCH_ROWS) {
    const states = await readStates(store, new Set(ids.slice(start, start + BATCH_ROWS)));
    for (const [id, { deleted, lifecycleRevision }] of states) {
      const revision = deletes.get(id);
      if (!deleted || lifecycleRevision === null || revision === undefined) continue;
      if (compareRevisions(lifecycleRevision, revision) === 0) decided.set(id, revision);
    }
  }
  return decided;
}

/** Returns how many operations were removed with the entities. The ledger keeps recognising replays. */
async function removeEntities(tx: Transaction, ids: ReadonlySet<string>): Promise<number> {
  const wide = [...(await readStateRows(tx, ids))].filter(([, first]) => isWithoutRegisters(first));
  const rowIds = [...ids, ...wide.flatMap(([id]) => listRowIds(id))];
  await tx.queryRows(
    `DELETE FROM sync_entities WHERE instance = $instance
       AND entity_id IN (SELECT r.id FROM {rows} AS r)`,
    { columns: { id: "text" }, rows: rowIds.map((id) => [id]) },
  );
  let removed = 0;
  // The log has no index by entity, and a join would read all of it for every batch.
  for (let after = 0; ;) {
    const rows = await tx.query<{ log_offset: number; entity_id: string; body: string }>(
      `SELECT log_offset, entity_id, body FROM sync_operations
       WHERE instance = $instance AND log_offset > $1 ORDER BY log_offset LIMIT $2`,
      [after, BATCH_ROWS],
    );
    const operations = rows
      .filter(({ entity_id: id }) => ids.has(id))
      .map(({ log_offset: offset, body }) => ({ ...parseOperation(body), offset }));
    await removeOperations(tx, operations);
    removed += operations.length;
    if (rows.length < BATCH_ROWS) return removed;
    after = rows.at(-1)?.log_offset ?? after;
  }
}

/**
 * Moves the rest of the log, with its gaps, behind the head, so that no new offset meets an old one on
 * the way. The ledger follows, or the receipt of a replay would carry a cursor below the floor.
 */
async function moveLog(tx: Transaction): Promise<StoredHead> {
  const { headOffset } = await readHead(tx);
  const [range] = await tx.query<{ first: number | null }>(
    "SELECT min(log_offset) AS first FROM sync_operations WHERE instance = $instance",
  );
  const first = range?.first ?? headOffset + 1;
  const distance = headOffset + 1 - first;
  // A script has no statement timeout, which a long log would exceed.
  await tx.script(
    `UPDATE sync_operations SET log_offset = log_offset + ${distance} WHERE instance = $instance;
     UPDATE sync_ledger SET log_offset =
       CASE WHEN log_offset < ${first} THEN ${headOffset} ELSE log_offset + ${distance} END
     WHERE instance = $instance;
     DELETE FROM sync_marks WHERE instance = $instance AND log_offset < ${Math.min(first, headOffset)};
     UPDATE sync_marks SET log_offset = log_offset + ${distance}
     WHERE instance = $instance AND log_offset < ${headOffset};
     UPDATE sync_log SET head_offset = ${headOffset + distance}, compaction_floor = ${headOffset}
     WHERE instance = $instance AND id = 1;`,
  );
  // A device at the old head, whose mark stays, goes on from there; one below it starts over.
  await markHead(tx);
  return readHead(tx);
}

async function countEntities(store: Queryable): Promise<number> {
  const [row] = await store.query<{ count: number }>(
    `SELECT count(*) AS count FROM sync_entities WHERE instance = $instance AND ${FIRST_ROWS}`,
  );
  return Number(row?.count);
}
