/**
 * One writer at a time, and one commit for all that wait: the transactions of a group run one after
 * another and are answered once their common commit is on the disk. Savepoints would keep them apart,
 * but cost more than a commit saves; so a group runs without, and only when one of it fails is all
 * undone and run again, each in its own savepoint.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { CollisionError } from "./collision-error.ts";
import { ConstraintError, StorageUnavailableError } from "./database.ts";
import type { Transaction } from "./database.ts";
import { runWork } from "./run-work.ts";

/** The connection that writes, as its driver sees it. */
export interface Writer extends Transaction {
  begin(): Promise<void>;
  /** Savepoints. */
  command(sql: string): Promise<void>;
  commit(): Promise<void>;
  /** Ends what is open, in whatever state it is; never fails. */
  rollback(): Promise<void>;
  /** Whether what `begin` opened is still open: a store that fails may end it by itself. */
  isOpen(): boolean;
}

export interface WriteQueue {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  collisions: number;
  /** It failed together with others: it runs without them. */
  isAlone: boolean;
}

/** Bounds on how long the first of a group waits for the last. */
const MAX_GROUP_SIZE = 64;
const MAX_GROUP_MS = 50;
const MAX_COLLISIONS = 5;

export function createWriteQueue(writer: Writer, idleTimeoutMs: number): WriteQueue {
  const waiting: Job[] = [];
  let draining: Promise<void> | null = null;
  let isClosed = false;

  return {
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(new StorageUnavailableError("it is closed"));
      return new Promise<T>((resolve, reject) => {
        const settle = resolve as (value: unknown) => void;
        waiting.push({ work, resolve: settle, reject, collisions: 0, isAlone: false });
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
      // A turn of the event loop: the rest of this turn joins the group, other processes get a chance.
      await nextTurn();
      await runGroup(takeGroup());
    }
    draining = null;
  }

  function takeGroup(): Job[] {
    const alone = waiting.findIndex((job) => job.isAlone);
    const end = alone === -1 ? waiting.length : Math.max(alone, 1);
    return waiting.splice(0, Math.min(end, MAX_GROUP_SIZE));
  }

  async function runGroup(group: readonly Job[], hasSavepoints = false): Promise<void> {
    const settlements: (() => void)[] = [];
    const ran: Job[] = [];
    let hasChanges = false;
    try {
      await writer.begin();
      const startedAt = performance.now();
      for (const job of group) {
        if (ran.length > 0 && performance.now() - startedAt > MAX_GROUP_MS) break;
        ran.push(job);
        const outcome = await runJob(job, hasSavepoints);
        if (outcome.kind === "failed" && group.length > 1 && !hasSavepoints) {
          await writer.rollback();
          return await runGroup(group, true);
        }
        if (!writer.isOpen()) throw lostError(outcome);
        hasChanges ||= outcome.kind === "done";
        settlements.push(() => settle(job, outcome));
      }
      await (hasChanges ? writer.commit() : writer.rollback());
    } catch (error) {
      await writer.rollback();
      waiting.unshift(...group.slice(ran.length));
      giveUp(ran, error);
      return;
    }
    waiting.unshift(...group.slice(ran.length));
    for (const settlement of settlements) settlement();
  }

  function giveUp(ran: readonly Job[], error: unknown): void {
    // What some could not commit together, each may commit by itself (a deferred constraint).
    if (error instanceof ConstraintError && ran.length > 1) {
      for (const job of ran) job.isAlone = true;
      waiting.unshift(...ran);
      return;
    }
    // When nothing could begin, all who wait have their answer: the store is not there.
    const failed = ran.length === 0 ? waiting.splice(0) : ran;
    for (const job of failed) settle(job, { kind: "failed", error });
  }

  async function runJob(job: Job, hasSavepoint: boolean): Promise<JobResult> {
    try {
      if (hasSavepoint) await writer.command("savepoint work");
      const value = await runWork(writer, job.work, idleTimeoutMs);
      if (hasSavepoint) await writer.command("release savepoint work");
      return { kind: "done", value };
    } catch (error) {
      if (hasSavepoint) await undo();
      return { kind: "failed", error };
    }
  }

  async function undo(): Promise<void> {
    if (!writer.isOpen()) return;
    try {
      await writer.command("rollback to savepoint work; release savepoint work");
    } catch {
      await writer.rollback();
    }
  }

  function settle(job: Job, outcome: JobResult): void {
    if (outcome.kind === "done") return job.resolve(outcome.value);
    if (!(outcome.error instanceof CollisionError)) return job.reject(outcome.error);
    job.collisions++;
    if (job.collisions > MAX_COLLISIONS) {
      return job.reject(new StorageUnavailableError("other transactions keep getting in the way"));
    }
    waiting.unshift(job);
  }
}

type JobResult =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

/** All of the group is gone, whosever statement it was that failed. */
function lostError(outcome: JobResult): unknown {
  const isTold = outcome.kind === "failed" && outcome.error instanceof StorageUnavailableError;
  return isTold ? outcome.error : new StorageUnavailableError("a transaction was lost");
}
