/** The session of a connection: what it is, and the settings that it needs for safe writes and good plans. */
import { randomUUID } from "node:crypto";
import { StorageUnavailableError, type Row } from "./database.ts";
import { ONLY_INSTANCE } from "./instance-parameter.ts";

/** What a session was when it was opened. */
export interface PostgresSession {
  /** A random id that the session keeps as a setting. */
  readonly marker: string;
  readonly isStandby: boolean;
  /** Whether the session is read-only by itself: on a standby, or by default of its server or role. */
  readonly isReadOnly: boolean;
}

export interface SessionSettings {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** The instance whose rows the session can see. */
  readonly instance?: number;
  /** Whether the plan of a statement is made once; every statement must have only one good plan. */
  readonly keepsPlans?: boolean;
}

/**
 * An acknowledged write must be on the disk, whatever the default of the server is. Only a transaction
 * that begins as one can write: a statement whose begin has failed writes nothing.
 *
 * And every statement finds its rows by an index (decision 17), whatever the server or the role has set: no
 * sequential scan where there is an index, nor a join that reads a whole table once.
 */
const configureStatement = (areKept: boolean) => `
  select current_setting('trellis.session', true) as marker, pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only') = 'on' as is_read_only,
    set_config('trellis.session', $4, false), set_config('trellis.instance', $5, false),
    set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', $3, false),
    set_config('default_transaction_read_only', 'on', false),
    set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
    set_config('enable_mergejoin', 'off', false), set_config('enable_nestloop', 'on', false),
    set_config('enable_indexscan', 'on', false), set_config('enable_indexonlyscan', 'on', false),
    set_config('jit', 'off', false),
    ${planSettings({ areKept, isLocal: false })},
    set_config('synchronous_commit', case current_setting('synchronous_commit')
      when 'off' then 'on' else current_setting('synchronous_commit') end, false)
`;

/**
 * The settings of plans, for the list of a `select`: for the session, or for the transaction alone. Plans
 * are made for each execution, by the size that tables have then: a kept plan, made while they were small,
 * would read all of an index for ever. Where plans are kept all the same, a bitmap is no choice, nor a sort
 * where an index has the order: both would read all rows for the first ones.
 */
export function planSettings({
  areKept,
  isLocal,
}: {
  readonly areKept: boolean;
  readonly isLocal: boolean;
}): string {
  const [mode, bitmapOrSort] = areKept
    ? ["force_generic_plan", "off"]
    : ["force_custom_plan", "on"];
  return `set_config('plan_cache_mode', '${mode}', ${isLocal}),
    set_config('enable_bitmapscan', '${bitmapOrSort}', ${isLocal}),
    set_config('enable_sort', '${bitmapOrSort}', ${isLocal})`;
}

interface ConfiguredRow extends Row {
  readonly marker: string | null;
  readonly is_standby: number;
  readonly is_read_only: number;
}

/** Configures a session that was just opened. `query` sends a statement with its parameters. */
export async function configureSession(
  query: (sql: string, params: string[]) => Promise<readonly Row[]>,
  {
    statementTimeoutMs,
    lockTimeoutMs,
    idleTimeoutMs,
    instance = ONLY_INSTANCE,
    keepsPlans = false,
  }: SessionSettings,
): Promise<PostgresSession> {
  const timeouts = [statementTimeoutMs, lockTimeoutMs, idleTimeoutMs].map(String);
  const marker = randomUUID();
  const rows = await query(configureStatement(keepsPlans), [...timeouts, marker, String(instance)]);
  const [row] = rows as readonly ConfiguredRow[];
  // After a reset the setting is empty, not null.
  if (row?.marker) throw sharedSessionError();
  return { marker, isStandby: row?.is_standby === 1, isReadOnly: row?.is_read_only === 1 };
}

/** A pooler in transaction mode loses settings and locks between transactions, or gives them to others. */
export function sharedSessionError(): Error {
  return new StorageUnavailableError(
    "the address leads to a pooler that shares sessions between connections, but session locks and settings need a session of their own: use session pooling (PgBouncer: pool_mode = session, server_reset_query = DISCARD ALL) or connect to the server directly",
  );
}
