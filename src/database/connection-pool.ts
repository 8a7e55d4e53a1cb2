/** A bounded number of connections. One that was lost is thrown away, never mended. */
import { StorageUnavailableError } from "./database.ts";

export interface Poolable {
  isLost(): boolean;
  close(): Promise<void>;
}

export interface Pool<C extends Poolable> {
  /** Lends a connection; the borrower gives it back with `release`. */
  acquire(): Promise<C>;
  release(connection: C): void;
  /**
   * Runs what may be run twice: a connection that lay idle may turn out to be dead when it is used,
   * and then a new one is tried.
   */
  use<T>(run: (connection: C) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Waiter<C> {
  readonly resolve: (connection: C) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export function createPool<C extends Poolable>(
  open: () => Promise<C>,
  { size, waitTimeoutMs }: { readonly size: number; readonly waitTimeoutMs: number },
): Pool<C> {
  const idle: C[] = [];
  const lent = new Set<C>();
  const waiters: Waiter<C>[] = [];
  let opening = 0;
  let isClosed = false;

  async function acquire(): Promise<C> {
    if (isClosed) throw new StorageUnavailableError("it is closed");
    const ready = takeIdle();
    if (ready !== null) return lend(ready);
    if (lent.size + opening < size) return openNew();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(new StorageUnavailableError("all connections are in use"));
      }, waitTimeoutMs);
      const waiter = { resolve, reject, timer };
      waiters.push(waiter);
    });
  }

  async function openNew(): Promise<C> {
    opening++;
    try {
      const connection = await open();
      if (!isClosed) return lend(connection);
      void connection.close();
    } catch (error) {
      // After this one has stopped counting, so that there is room for who waits.
      queueMicrotask(serveNext);
      throw error;
    } finally {
      opening--;
    }
    throw new StorageUnavailableError("it is closed");
  }

  function lend(connection: C): C {
    lent.add(connection);
    return connection;
  }

  function takeIdle(): C | null {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      if (!next.isLost()) return next;
      void next.close();
    }
    return null;
  }

  function release(connection: C): void {
    lent.delete(connection);
    if (isClosed || connection.isLost()) void connection.close();
    else idle.push(connection);
    serveNext();
  }

  /** The first that waits asks again: it finds an idle connection or room for a new one. */
  function serveNext(): void {
    const waiter = waiters.shift();
    if (waiter === undefined) return;
    clearTimeout(waiter.timer);
    acquire().then(waiter.resolve, waiter.reject);
  }

  async function use<T>(run: (connection: C) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const connection = await acquire();
      try {
        return await run(connection);
      } catch (error) {
        if (!connection.isLost() || attempt > 0) throw error;
      } finally {
        release(connection);
      }
    }
  }

  return {
    acquire,
    release,
    use,
    async close() {
      isClosed = true;
      for (const waiter of waiters.splice(0)) {
        clearTimeout(waiter.timer);
        waiter.reject(new StorageUnavailableError("it is closed"));
      }
      await Promise.all([...idle.splice(0), ...lent].map((connection) => connection.close()));
    },
  };
}
