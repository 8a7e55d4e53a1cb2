/**
 * Forgets entities that were deleted long ago. This one can be noticed: a device that was away since
 * before keeps what it has of them. So the log moves: what stays gets offsets above everything that
 * any device has seen, and whoever is below that is told to start anew, once.
 */
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { compareRevisions } from "../../rules/sync/operation.ts";
import type { LogHead } from "../store.ts";
import type { SqlSyncStore } from "../sql/open-sql-store.ts";
import { readHead, readStates } from "../sql/sql-operations.ts";
import { removeOperations } from "./remove-operations.ts";
import { freePages } from "../../database/free-pages.ts";

export interface PurgePlan {
  /** The tombstones that would go, with the delete that decides each. */
  readonly tombstones: ReadonlyMap<string, Revision>;
  /** How many entities stay: live, deleted later, or awaited. */
  readonly remaining: number;
}

export interface PurgeReport {
  readonly removedTombstones: number;
  readonly removedOperations: number;
  readonly remaining: number;
  readonly freedBytes: number;
}

const BATCH_ROWS = 500;

/** Entities whose deciding delete was received before that time. Changes nothing. */
export async function planPurge(database: Database, before: number): Promise<PurgePlan> {
  const tombstones = new Map<string, Revision>();
  const deletes = new Map<string, Revision>();
  const keepDecided = async () => {
    for (const [id, revision] of await findDecided(database, deletes)) tombstones.set(id, revision);
    deletes.clear();
  };
  const rows = database.stream<{ body: string }>(
    "SELECT body FROM sync_operations WHERE received_at < $1",
    [before],
  );
  for await (const { body } of rows) {
    const { kind, entityId, revision } = parseOperation(body);
    const known = deletes.get(entityId);
    if (kind !== "delete" || (known && compareRevisions(known, revision) > 0)) continue;
    deletes.set(entityId, revision);
    if (deletes.size === BATCH_ROWS) await keepDecided();
  }
  await keepDecided();
  return { tombstones, remaining: (await countEntities(database)) - tombstones.size };
}

/** What of the plan is still so goes, and the log moves, in one transaction. */
export async function purgeTombstones(
  { database, highWater }: Pick<SqlSyncStore, "database" | "highWater">,
  plan: PurgePlan,
): Promise<PurgeReport> {
  const outcome = await database.transaction(async (tx) => {
    const decided = await findDecided(tx, plan.tombstones);
    if (decided.size === 0) return { tombstones: 0, operations: 0, head: null };
    const operations = await removeEntities(tx, new Set(decided.keys()));
    return { tombstones: decided.size, operations, head: await moveLog(tx) };
  });
  if (outcome.head !== null) highWater.write(outcome.head);
  return {
    removedTombstones: outcome.tombstones,
    removedOperations: outcome.operations,
    remaining: await countEntities(database),
    freedBytes: await freePages(database),
  };
}

/** Of these deletes, those that still decide over their entity. */
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

/** Answers how many operations went with them. The ledger stays: replays are still recognised. */
async function removeEntities(tx: Transaction, ids: ReadonlySet<string>): Promise<number> {
  await tx.queryRows(
    "DELETE FROM sync_entities WHERE entity_id IN (SELECT r.id FROM {rows} AS r)",
    { columns: { id: "text" }, rows: [...ids].map((id) => [id]) },
  );
  let removed = 0;
  // The log has no index by entity, and a join would read all of it for every batch.
  for (let after = 0; ;) {
    const rows = await tx.query<{ log_offset: number; entity_id: string; body: string }>(
      `SELECT log_offset, entity_id, body FROM sync_operations
       WHERE log_offset > $1 ORDER BY log_offset LIMIT $2`,
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
 * Moves what is left, with its gaps, to behind the head: so on the way no new offset meets an old
 * one. The ledger follows, or the answer to a replay would carry a cursor from below the floor.
 */
async function moveLog(tx: Transaction): Promise<LogHead> {
  const { headOffset } = await readHead(tx);
  const [range] = await tx.query<{ first: number | null }>(
    "SELECT min(log_offset) AS first FROM sync_operations",
  );
  const first = range?.first ?? headOffset + 1;
  const distance = headOffset + 1 - first;
  // Scripts, because a long log takes longer than a statement of the service may.
  await tx.script(
    `UPDATE sync_operations SET log_offset = log_offset + ${distance};
     UPDATE sync_ledger SET log_offset =
       CASE WHEN log_offset < ${first} THEN ${headOffset} ELSE log_offset + ${distance} END;
     UPDATE sync_log SET head_offset = ${headOffset + distance}, compaction_floor = ${headOffset}
     WHERE id = 1;`,
  );
  return readHead(tx);
}

async function countEntities(store: Queryable): Promise<number> {
  return count(await store.query("SELECT count(*) AS count FROM sync_entities"));
}

function count([row]: Readonly<Record<string, unknown>>[]): number {
  return Number(row?.["count"]);
}
