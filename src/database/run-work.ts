import { CollisionError } from "./collision-error.ts";
import { StorageUnavailableError } from "./database.ts";
import type { Transaction } from "./database.ts";

/**
 * Runs one unit of work inside a transaction that is open: the same rules in both dialects. The
 * first failed statement decides, no statement runs after the work is over, and work that leaves
 * its transaction alone for too long is given up, because every other writer waits for it.
 */
export async function runWork<T>(
  inner: Transaction,
  work: (tx: Transaction) => Promise<T>,
  idleTimeoutMs: number,
): Promise<T> {
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const idle = Promise.withResolvers<never>();
  let isOver = false;
  const timer = setTimeout(() => {
    if (running.size > 0) return void timer.refresh();
    idle.reject(new StorageUnavailableError("a transaction was left open for too long"));
  }, idleTimeoutMs);

  async function step<R>(run: () => Promise<R>): Promise<R> {
    if (isOver) throw new Error("This transaction is over: await everything inside its work");
    if (failures.length > 0) throw failures[0];
    const statement = run();
    running.add(statement);
    try {
      return await statement;
    } catch (error) {
      failures.push(error);
      throw error;
    } finally {
      running.delete(statement);
      if (!isOver) timer.refresh();
    }
  }

  const tx: Transaction = {
    query: (sql, params) => step(() => inner.query(sql, params)),
    queryRows: (sql, rows, params) => step(() => inner.queryRows(sql, rows, params)),
    script: (sql) => step(() => inner.script(sql)),
  };
  const [outcome] = await Promise.allSettled([Promise.race([begin(work, tx), idle.promise])]);
  isOver = true;
  clearTimeout(timer);
  await Promise.allSettled(running);
  const [failure] = failures;
  // Work may turn a failed statement into words of its own, but it cannot make it unhappen.
  if (failure instanceof CollisionError) throw failure;
  if (outcome.status === "rejected") throw outcome.reason;
  if (failures.length > 0) throw failure;
  return outcome.value;
}

/** So that work that throws at once fails like work that rejects. */
async function begin<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction): Promise<T> {
  return work(tx);
}
