import type { Queryable, Row } from "./database.ts";

/** Each promotion begins a timeline with a higher number, so the primary has the highest. */
export interface History {
  readonly systemIdentifier: string;
  readonly timeline: number;
  /** Two hosts of an address may be two ways to one server, which has started once. */
  readonly startedAt: string;
}

/** Null on a standby, which has none that can be written. */
const TIMELINE = `case when not pg_is_in_recovery()
  then substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end`;

/** As an item of a `select`, named `timeline`. */
export const TIMELINE_ITEM = `${TIMELINE} as timeline`;

/** One row, with the columns of a `HistoryRow`. */
export const HISTORY = `
  select system_identifier::text as system_identifier, ${TIMELINE_ITEM},
    pg_postmaster_start_time()::text as started_at
  from pg_control_system()
`;

export interface HistoryRow extends Row {
  readonly system_identifier: string;
  readonly timeline: string | null;
  readonly started_at: string;
}

/** Null for a standby, and for a row without history. */
export function toHistory(row: Partial<HistoryRow> | undefined): History | null {
  const { system_identifier: systemIdentifier, timeline, started_at: startedAt } = row ?? {};
  if (typeof timeline !== "string" || !systemIdentifier || !startedAt) return null;
  return { systemIdentifier, timeline: parseTimeline(timeline), startedAt };
}

export function parseTimeline(text: string): number {
  return Number.parseInt(text, 16);
}

/** Not every server that speaks the protocol of PostgreSQL has these functions. */
export async function readHistory(
  connection: Pick<Queryable, "query"> & { isLost(): boolean },
): Promise<History | null> {
  try {
    const [row] = await connection.query<HistoryRow>(HISTORY);
    return toHistory(row);
  } catch (error) {
    if (connection.isLost()) throw error;
    return null;
  }
}

/** What a process knows of the server that it is connected to. */
export interface HistoryWatch {
  /** Takes down where a connection leads; of a pooled one the timeline alone is known. */
  note(history: Pick<History, "timeline"> & Partial<History>): void;
  /** Whether the server tells where a connection leads. */
  isTold(): boolean;
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
    isTold: () => known !== null,
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
