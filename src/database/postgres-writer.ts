/** The writer of an instance: its transactions, each on the connection of the pool that is free. */
import type { Pool } from "./connection-pool.ts";
import { conflictsError, MAX_CONFLICTS } from "./conflicts.ts";
import { ALL_INSTANCES } from "./coordination-tables.ts";
import {
  StorageUnavailableError,
  TransactionConflictError,
  type Row,
  type SqlValue,
  type Statement,
  type TransactionOptions,
} from "./database.ts";
import { bindInstance, writeInstance } from "./instance-parameter.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import type { PostgresLease } from "./postgres-leases.ts";
import type { PostgresProcess } from "./postgres-process.ts";
import { FRESH_PLANS, localSettings } from "./postgres-session.ts";
import type { ServerGuard } from "./server-guard.ts";
import type { Writer } from "./write-queue.ts";

export interface PostgresWriterSettings {
  readonly instance: number;
  /** What the process has of the store; another epoch of the instance says that it is lost. */
  readonly leases: readonly PostgresLease[];
  /** How long a transaction may be idle before the server ends it. */
  readonly idleTimeoutMs: number;
  readonly guard: ServerGuard;
  /** How long to wait for one who has the store for itself. */
  readonly waitMs: number;
}

interface HeadRow extends Row {
  readonly instance: number;
  readonly epoch: number;
}

/** An acknowledged write must be on the disk, whatever the default of the server is. */
const WAIT_FOR_DISK = `set_config('synchronous_commit', case current_setting('synchronous_commit')
  when 'off' then 'on' else current_setting('synchronous_commit') end, true)`;
const NO_WAIT_FOR_DISK = localSettings({ synchronous_commit: "off" });
const READ_WRITE = "isolation level read committed read write";

/** For processes that cannot listen. */
const NOTE = "update trellis_head set notices = notices + 1 where instance = $1";

export function createPostgresWriter(
  { pool, notices, prepare }: PostgresProcess,
  settings: PostgresWriterSettings,
): Writer {
  const { instance, leases, waitMs, guard } = settings;
  const turn = { line: instance, lane: "write" } as const;
  const bind = (sql: string, params: readonly SqlValue[] = []) =>
    bindInstance(sql, params, instance);
  const bindStatement = (statement: Statement): Statement => ({
    ...statement,
    ...bind(statement.sql, statement.params),
  });
  let connection: PostgresConnection | null = null;

  function current(): PostgresConnection {
    if (connection === null) throw new StorageUnavailableError("a transaction was lost");
    return connection;
  }

  function end(): void {
    if (connection !== null) pool.release(connection);
    connection = null;
  }

  async function rollback(): Promise<void> {
    if (connection !== null) await rollbackOrClose(connection);
    end();
  }

  /** Returns whether the transaction may write; if not, it is to begin once more. */
  async function tryToBegin(text: string): Promise<boolean> {
    const used = await pool.acquire(turn);
    connection = used;
    if (used.session.isStandby) {
      // It may have been promoted since; a new connection knows.
      await used.close();
      end();
      throw standbyError();
    }
    const heads = await used.begin<HeadRow>(
      instance,
      READ_WRITE,
      text,
      lockHeads(instance, leases),
    );
    if (guard.pending() !== null) {
      await rollback();
      await guard.pending();
      return false;
    }
    if (!heads.some((head) => head.instance === instance)) {
      await rollback();
      await insertHead(pool, instance);
      return false;
    }
    const lost = leases.find(
      (lease) => heads.find((head) => head.instance === lease.instance)?.epoch !== lease.epoch(),
    );
    if (lost === undefined) return true;
    await rollback();
    await lost.takeAgain(waitMs);
    return false;
  }

  return {
    async begin(options) {
      await prepare();
      const text = beginSettings(settings, options);
      for (let attempt = 0; attempt <= MAX_CONFLICTS; attempt++) {
        const startedAt = performance.now();
        try {
          if (await tryToBegin(text)) return;
        } catch (error) {
          const isOld = connection !== null && connection.openedAt < startedAt;
          // An idle connection may be found dead; nothing was written, so all can run again.
          throw isOld && connection?.isLost() === true ? new TransactionConflictError() : error;
        }
      }
      throw conflictsError();
    },
    query(text, given) {
      const { sql, params } = bind(text, given);
      return current().query(sql, params);
    },
    queryRows(text, rows, given) {
      const { sql, params } = bind(text, given);
      return current().queryRows(sql, rows, params);
    },
    writeAll: (statements) => current().writeAll(statements.map(bindStatement)),
    script: (sql) => current().script(writeInstance(sql, instance)),
    command: (sql) => current().command(sql),
    commit: async (statements, channels) => {
      const noting = channels.size > 0 ? [{ sql: NOTE, params: [instance] }] : [];
      if (!(await current().commit([...statements.map(bindStatement), ...noting]))) {
        throw new StorageUnavailableError("a transaction was lost");
      }
      end();
      notices.tell(instance, channels);
    },
    rollback,
    isOpen: () => connection !== null && !connection.isLost(),
  };
}

function beginSettings(
  { idleTimeoutMs }: PostgresWriterSettings,
  { keepsPlans, mayBeLost }: Required<TransactionOptions>,
): string {
  return [
    localSettings({
      idle_in_transaction_session_timeout: String(idleTimeoutMs),
      ...(keepsPlans ? {} : FRESH_PLANS),
    }),
    mayBeLost ? NO_WAIT_FOR_DISK : WAIT_FOR_DISK,
  ].join(", ");
}

/**
 * The lock is a statement of its own, which every later one follows with a snapshot that has what the writer
 * before committed. It lasts to the commit, so offsets follow commits.
 */
function lockHeads(instance: number, leases: readonly PostgresLease[]): string {
  const isAll = leases.some((lease) => lease.instance === ALL_INSTANCES);
  const instances = isAll ? `in (${ALL_INSTANCES}, ${instance})` : `= ${instance}`;
  return `select instance, epoch from trellis_head where instance ${instances}
    order by instance for update`;
}

async function insertHead(pool: Pool<PostgresConnection>, instance: number): Promise<void> {
  await pool.use({ line: instance, lane: "upkeep" }, (connection) =>
    connection.runAll(
      `begin read write; insert into trellis_head (instance) values (${instance}) on conflict do nothing; commit`,
    ),
  );
}

export async function rollbackOrClose(connection: PostgresConnection): Promise<void> {
  if (connection.isLost()) return;
  try {
    await connection.command("rollback");
  } catch {
    await connection.close();
  }
}

function standbyError(): StorageUnavailableError {
  return new StorageUnavailableError(
    "the server is a standby, which cannot be written until it is promoted",
  );
}
