/** Where events come from, in SQL. */
import type { Queryable, Row } from "../../database/database.ts";
import type { Source, SourceRecords } from "../store.ts";

interface SourceRow extends Row {
  readonly source_id: string;
  readonly account_id: string;
  readonly kind: Source["kind"];
  readonly name: string;
  readonly created_at: number;
}

const COLUMNS = "source_id, account_id, kind, name, created_at";

export function createSqlSources(tx: Queryable): SourceRecords {
  return {
    async findOrAdd({ sourceId, accountId, kind, name, createdAt }) {
      await tx.query(
        `INSERT INTO events_sources (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account_id, kind, name) DO NOTHING`,
        [sourceId, accountId, kind, name, createdAt],
      );
      const [row] = await tx.query<SourceRow>(
        `SELECT ${COLUMNS} FROM events_sources WHERE account_id = $1 AND kind = $2 AND name = $3`,
        [accountId, kind, name],
      );
      if (row === undefined) throw new Error("A source is not there after it was added");
      return toSource(row);
    },
    async list(accountId) {
      const rows = await tx.query<SourceRow>(
        `SELECT ${COLUMNS} FROM events_sources WHERE account_id = $1
         ORDER BY created_at, source_id`,
        [accountId],
      );
      return rows.map(toSource);
    },
    async find(sourceId) {
      const [row] = await tx.query<SourceRow>(
        `SELECT ${COLUMNS} FROM events_sources WHERE source_id = $1`,
        [sourceId],
      );
      return row === undefined ? null : toSource(row);
    },
    async remove(sourceId) {
      const [live] = await tx.query(
        `SELECT e.event_id FROM events_sources s JOIN events_entries e
           ON e.account_id = s.account_id AND e.source_id = s.source_id
         WHERE s.source_id = $1 AND e.deleted_at IS NULL LIMIT 1`,
        [sourceId],
      );
      if (live !== undefined) throw new Error("A source cannot go before its events are deleted");
      await tx.query("DELETE FROM events_sources WHERE source_id = $1", [sourceId]);
    },
  };
}

function toSource(row: SourceRow): Source {
  return {
    sourceId: row.source_id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    createdAt: row.created_at,
  };
}
