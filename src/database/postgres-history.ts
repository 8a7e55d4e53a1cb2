import type { Row } from "./database.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** Each promotion begins a timeline with a higher number, so the primary has the highest. */
export interface History {
  readonly systemIdentifier: string;
  readonly timeline: number;
  /** Two hosts of an address may be two ways to one server, which has started once. */
  readonly startedAt: string;
}

const HISTORY = `
  select system_identifier::text as system_identifier,
    substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
    pg_postmaster_start_time()::text as started_at
  from pg_control_system()
`;

interface HistoryRow extends Row {
  readonly system_identifier: string;
  readonly timeline: string;
  readonly started_at: string;
}

/** Not every server that speaks the protocol of PostgreSQL has these functions. */
export async function readHistory(connection: PostgresConnection): Promise<History | null> {
  try {
    const [row] = await connection.query<HistoryRow>(HISTORY);
    if (row === undefined) return null;
    return {
      systemIdentifier: row.system_identifier,
      timeline: Number.parseInt(row.timeline, 16),
      startedAt: row.started_at,
    };
  } catch (error) {
    if (connection.isLost()) throw error;
    return null;
  }
}

/** Whether the server of `first` is the primary in spite of the other one, which can be written too. */
export function isSameOrOlder(history: History | null, first: History | null): boolean {
  if (history === null || history.systemIdentifier !== first?.systemIdentifier) return false;
  return history.timeline < first.timeline || history.startedAt === first.startedAt;
}
