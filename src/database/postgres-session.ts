/**
 * What every session of the store needs for safe writes and good plans. A connection asks for it when it is
 * opened; through a pooler, which gives each transaction to any session, every transaction asks for it.
 */
import { StorageUnavailableError, type Row } from "./database.ts";

/** What a pooler says, or its server: it takes no settings, and its sessions have not what another prepared. */
export const USE_POOL_PARAMETER =
  "the address leads to a pooler, which gives a connection's transactions to different sessions: add `pool=transaction` to the address, or connect to the server directly";

/** What a session was when it was opened. */
export interface PostgresSession {
  readonly isStandby: boolean;
  /** Whether the session is read-only by itself: on a standby, or by default of its server or role. */
  readonly isReadOnly: boolean;
}

export interface SessionTimes {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

export type Settings = Readonly<Record<string, string>>;

/**
 * Every statement finds its rows by an index (decision 17), whatever the server or the role has set: no
 * sequential scan where there is an index, nor a join that reads a whole table once.
 */
const INDEX_PLANS: Settings = {
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_nestloop: "on",
  enable_indexscan: "on",
  enable_indexonlyscan: "on",
  jit: "off",
};

/**
 * A plan for a token check or a page takes longer than its execution, so it is made once (decision 17). Then
 * a bitmap is no choice, nor a sort where an index has the order: both would read all rows for the first ones.
 */
const KEPT_PLANS: Settings = {
  plan_cache_mode: "force_generic_plan",
  enable_bitmapscan: "off",
  enable_sort: "off",
};

/**
 * Plans that are made for each execution, by the size that tables have then: a kept plan, made while they were
 * small, would read all of an index forever.
 */
export const FRESH_PLANS: Settings = {
  plan_cache_mode: "force_custom_plan",
  enable_bitmapscan: "on",
  enable_sort: "on",
};

/** The settings of a session that reads. */
export function sessionSettings(times: SessionTimes): Settings {
  return {
    statement_timeout: String(times.statementTimeoutMs),
    lock_timeout: String(times.lockTimeoutMs),
    idle_in_transaction_session_timeout: String(times.idleTimeoutMs),
    ...INDEX_PLANS,
    ...KEPT_PLANS,
  };
}

/** A list for `select` that makes settings of the transaction; the values are ours, and need no quotes of their own. */
export function localSettings(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', true)`)
    .join(", ");
}

interface InspectedRow extends Row {
  readonly is_standby: number;
  readonly is_read_only: number;
  readonly is_configured: number;
  readonly bypasses_policies: number;
}

const IS_CONFIGURED = Object.entries({ ...INDEX_PLANS, ...KEPT_PLANS })
  .map(([name, value]) => `current_setting('${name}') = '${value}'`)
  .join(" and ");

const INSPECT = `
  select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
    ${IS_CONFIGURED} as is_configured,
    (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses_policies
`;

/** Inspects a session that was just opened; refuses one that is not what was asked for. */
export async function inspectSession(
  query: (sql: string) => Promise<readonly Row[]>,
  isPooled: boolean,
): Promise<PostgresSession> {
  const [row] = (await query(INSPECT)) as readonly InspectedRow[];
  if (!isPooled && row?.is_configured !== 1) throw sharedSessionError();
  if (row?.bypasses_policies === 1) throw privilegedRoleError();
  return { isStandby: row?.is_standby === 1, isReadOnly: row?.is_read_only === 1 };
}

/** A pooler loses the settings and the statements of a connection, or gives them to others. */
function sharedSessionError(): Error {
  return new StorageUnavailableError(USE_POOL_PARAMETER);
}

function privilegedRoleError(): Error {
  return new StorageUnavailableError(
    "the role of the address is a superuser or bypasses row security, so that nothing would keep instances apart: use a role with NOSUPERUSER NOBYPASSRLS that owns the database",
  );
}
