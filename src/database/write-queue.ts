/**
 * One writer at a time, and one commit for all transactions that wait: a group of them runs one after
 * another and succeeds when its common commit is on the disk. A group is taken only when the writers of
 * other processes are done, so that it has what came meanwhile. A savepoint for each would
 * cost more than the shared commit saves, so a group runs without. Only when one of them fails is the
 * whole group rolled back and run again, each transaction in a savepoint.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { conflictsError, MAX_CONFLICTS, pauseAfterConflict } from "./conflicts.ts";
import {
  ConstraintError,
  StorageUnavailableError,
  TransactionConflictError,
  type Queryable,
  type Statement,
  type Transaction,
  type TransactionOptions,
} from "./database.ts";

/** The connection that writes, as its driver provides it. */
export interface Writer extends Queryable {
  /** Resolves when a transaction has begun that no other writer of the store has beside it. */
  begin(options: Required<TransactionOptions>): Promise<void>;
  /** Runs the statements of `Transaction.writeAtEnd`. */
  writeAll(statements: readonly Statement[]): Promise<void>;
  script(sql: string): Promise<void>;
  /** Runs a statement about savepoints. */
  command(sql: string): Promise<void>;
  /** Writes the statements that are left, commits, and tells the watches of the channels. */
  commit(statements: readonly Statement[], channels: ReadonlySet<string>): Promise<void>;
  /** Ends the transaction in any state; never fails. */
  rollback(): Promise<void>;
  /** Whether the transaction is still open: a store may end it when a statement fails. */
  isOpen(): boolean;
}

export interface WriteQueue {
  transaction<T>(work: Work<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

type Work<T> = (tx: Transaction) => Promise<T>;

interface Job extends Required<TransactionOptions> {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  conflicts: number;
  /** Whether the group of the job failed at its commit, so that the job runs in a group of one. */
  isAlone: boolean;
}

type JobResult =
  | {
      readonly kind: "done";
      readonly value: unknown;
      readonly unwritten: readonly Statement[];
      readonly channels: readonly string[];
    }
  | { readonly kind: "failed"; readonly error: unknown };

/** Bounds on how long the first transaction of a group waits for the last. */
const MAX_GROUP_SIZE = 64;
const MAX_GROUP_MS = 50;

/** `onCommit` gets how many transactions share a commit, and how long the commit took. */
export function createWriteQueue(
  writer: Writer,
  idleTimeoutMs: number,
  onCommit?: (transactions: number, durationMs: number) => void,
  now: () => number = () => performance.now(),
): WriteQueue {
  const waiting: Job[] = [];
  let draining: Promise<void> | null = null;
  let isClosed = false;

  return {
    transaction<T>(work: Work<T>, options: TransactionOptions = {}): Promise<T> {
      const { keepsPlans = false, mayBeLost = false } = options;
      if (isClosed) return Promise.reject(new StorageUnavailableError("it is closed"));
      return new Promise<T>((resolve, reject) => {
        const job = { work, keepsPlans, mayBeLost, resolve: resolve as Job["resolve"], reject };
        waiting.push({ ...job, conflicts: 0, isAlone: false });
        draining ??= drain();
      });
    },
    async close() {
      isClosed = true;
      await draining;
    },
  };

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const conflicts = Math.max(...waiting.map((job) => job.conflicts));
      if (conflicts > 0) await pauseAfterConflict(conflicts);
      // Transactions of this turn of the event loop join the group; other processes can write.
      await nextTurn();
      const options = await begin();
      if (options !== null) await runGroup(takeGroup(options), false);
    }
    draining = null;
  }

  /**
   * Begins a transaction, which has the options that every job that waits has: a shared commit saves more
   * than they do. When none can begin, the store is away for all jobs that wait, and null is returned.
   */
  async function begin(): Promise<Required<TransactionOptions> | null> {
    const options = {
      keepsPlans: waiting.every(({ keepsPlans }) => keepsPlans),
      mayBeLost: waiting.every(({ mayBeLost }) => mayBeLost),
    };
    try {
      await writer.begin(options);
      return options;
    } catch (error) {
      await writer.rollback();
      fail(waiting.splice(0), error);
      return null;
    }
  }

  /** The jobs for a transaction that has begun with these options. */
  function takeGroup({ keepsPlans, mayBeLost }: Required<TransactionOptions>): Job[] {
    const isOther = (job: Job) =>
      job.isAlone || (keepsPlans && !job.keepsPlans) || (mayBeLost && !job.mayBeLost);
    const other = waiting.findIndex(isOther);
    const end = other === -1 ? waiting.length : Math.max(other, 1);
    return waiting.splice(0, Math.min(end, MAX_GROUP_SIZE));
  }

  /** Runs a group of jobs in a transaction that has begun. */
  async function runGroup(group: readonly Job[], hasSavepoints: boolean): Promise<void> {
    const finished: { readonly job: Job; readonly result: JobResult }[] = [];
    const startedAt = now();
    let started = 0;
    try {
      for (const job of group) {
        if (started > 0 && now() - startedAt > MAX_GROUP_MS) break;
        started++;
        const result = await runJob(job, {
          hasSavepoint: hasSavepoints,
          isAlone: group.length === 1,
        });
        if (result.kind === "failed" && group.length > 1 && !hasSavepoints) {
          await writer.rollback();
          return await runAgain(group);
        }
        if (!writer.isOpen()) throw lostTransactionError(result);
        finished.push({ job, result });
      }
      const done = finished.map(({ result }) => result).filter((result) => result.kind === "done");
      const commitAt = now();
      await (done.length > 0
        ? writer.commit(
            done.flatMap(({ unwritten }) => unwritten),
            new Set(done.flatMap(({ channels }) => channels)),
          )
        : writer.rollback());
      if (done.length > 0) onCommit?.(done.length, now() - commitAt);
    } catch (error) {
      await writer.rollback();
      waiting.unshift(...group.slice(started));
      fail(group.slice(0, started), error);
      return;
    }
    const conflicting = finished.filter(({ job, result }) => !settle(job, result));
    waiting.unshift(...conflicting.map(({ job }) => job), ...group.slice(started));
  }

  async function runAgain(group: readonly Job[]): Promise<void> {
    waiting.unshift(...group);
    if ((await begin()) === null) return;
    waiting.splice(0, group.length);
    await runGroup(group, true);
  }

  function fail(jobs: readonly Job[], error: unknown): void {
    // A deferred constraint fails the commit of the group; each job may commit by itself.
    if (error instanceof ConstraintError && jobs.length > 1) {
      for (const job of jobs) job.isAlone = true;
      waiting.unshift(...jobs);
      return;
    }
    waiting.unshift(...jobs.filter((job) => !settle(job, { kind: "failed", error })));
  }

  /** A job alone in its group leaves its last writes to the commit: if one fails, so does the other. */
  async function runJob(
    { work }: Job,
    { hasSavepoint, isAlone }: { readonly hasSavepoint: boolean; readonly isAlone: boolean },
  ): Promise<JobResult> {
    try {
      if (hasSavepoint) await writer.command("savepoint work");
      const { unwritten, ...done } = await runWork(writer, work, idleTimeoutMs);
      if (isAlone) return { kind: "done", ...done, unwritten };
      if (unwritten.length > 0) await writer.writeAll(unwritten);
      if (hasSavepoint) await writer.command("release savepoint work");
      return { kind: "done", ...done, unwritten: [] };
    } catch (error) {
      if (hasSavepoint && writer.isOpen()) await rollbackToSavepoint();
      return { kind: "failed", error };
    }
  }

  async function rollbackToSavepoint(): Promise<void> {
    try {
      await writer.command("rollback to savepoint work; release savepoint work");
    } catch {
      await writer.rollback();
    }
  }

  /** False when the job has to run again because it met a conflict. */
  function settle(job: Job, result: JobResult): boolean {
    if (result.kind === "done") {
      job.resolve(result.value);
      return true;
    }
    if (!(result.error instanceof TransactionConflictError)) {
      job.reject(result.error);
      return true;
    }
    job.conflicts++;
    if (job.conflicts <= MAX_CONFLICTS) return false;
    job.reject(conflictsError());
    return true;
  }
}

/** The whole group is lost, whichever job's statement failed. */
function lostTransactionError(result: JobResult): unknown {
  return result.kind === "failed" && result.error instanceof StorageUnavailableError
    ? result.error
    : new StorageUnavailableError("a transaction was lost");
}

/**
 * Runs one unit of work inside an open transaction, with the same rules in both dialects: the first
 * failed statement decides, no statement runs after the work has ended, and an idle transaction is
 * given up, because all other writers wait for it.
 */
async function runWork<T>(
  inner: Pick<Writer, "query" | "queryRows" | "script">,
  work: Work<T>,
  idleTimeoutMs: number,
): Promise<{
  readonly value: T;
  readonly unwritten: readonly Statement[];
  readonly channels: readonly string[];
}> {
  const unwritten: Statement[] = [];
  const channels: string[] = [];
  const running = new Set<Promise<unknown>>();
  const errors: unknown[] = [];
  const idle = Promise.withResolvers<never>();
  let isOver = false;
  const timer = setTimeout(() => {
    if (running.size > 0) return void timer.refresh();
    idle.reject(new StorageUnavailableError("a transaction was left open for too long"));
  }, idleTimeoutMs);

  function expectOpen(): void {
    if (isOver) throw overError();
    if (unwritten.length > 0) throw new Error("This work has written everything: do so at its end");
  }

  async function step<R>(run: () => Promise<R>): Promise<R> {
    expectOpen();
    if (errors.length > 0) throw errors[0];
    const statement = run();
    running.add(statement);
    try {
      return await statement;
    } catch (error) {
      errors.push(error);
      throw error;
    } finally {
      running.delete(statement);
      if (!isOver) timer.refresh();
    }
  }

  const tx: Transaction = {
    query: (sql, params) => step(() => inner.query(sql, params)),
    queryRows: (sql, rows, params) => step(() => inner.queryRows(sql, rows, params)),
    writeAtEnd: (statements) => {
      expectOpen();
      unwritten.push(...statements);
    },
    notify: (channel) => {
      if (isOver) throw overError();
      channels.push(channel);
    },
    script: (sql) => step(() => inner.script(sql)),
  };
  // Inside an async function, work that throws fails like work that rejects.
  const working = (async () => work(tx))();
  const [result] = await Promise.allSettled([Promise.race([working, idle.promise])]);
  isOver = true;
  clearTimeout(timer);
  await Promise.allSettled(running);
  const [error] = errors;
  // The work may replace the error of a statement by its own, but not one that means "run again".
  if (error instanceof TransactionConflictError) throw error;
  if (result.status === "rejected") throw result.reason;
  if (errors.length > 0) throw error;
  return { value: result.value, unwritten, channels };
}

function overError(): Error {
  return new Error("This transaction is over: await everything inside its work");
}
