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

/** What a process knows of the server that it is connected to. */
export interface HistoryWatch {
  /** Takes down where a connection leads; of a pooled one the timeline alone is known. */
  note(history: Pick<History, "timeline"> & Partial<History>): void;
  /** Calls `onChange` when a connection leads elsewhere than those before; returns what ends that. */
  watch(onChange: () => void): () => void;
}

export function createHistoryWatch(): HistoryWatch {
  const watches = new Set<() => void>();
  let known: { readonly timeline: number; readonly systemIdentifier?: string } | null = null;
  return {
    note({ timeline, systemIdentifier = known?.systemIdentifier }) {
      const isOther =
        known !== null &&
        (known.timeline !== timeline ||
          (known.systemIdentifier !== undefined && known.systemIdentifier !== systemIdentifier));
      known = { timeline, ...(systemIdentifier !== undefined && { systemIdentifier }) };
      if (isOther) for (const onChange of watches) onChange();
    },
    watch(onChange) {
      watches.add(onChange);
      return () => void watches.delete(onChange);
    },
  };
}

/** Whether the server of `first` is the primary in spite of the other one, which can be written too. */
export function isSameOrOlder(history: History | null, first: History | null): boolean {
  if (history === null || history.systemIdentifier !== first?.systemIdentifier) return false;
  return history.timeline < first.timeline || history.startedAt === first.startedAt;
}
