/**
 * A bounded number of connections; a lost one is closed and replaced. The pool of the `postgres`
 * package has neither a deadline for a statement nor a way to close one connection: when a network
 * goes silent without closing its connections, it waits until the system gives them up.
 */
import { StorageUnavailableError } from "./database.ts";

export interface Poolable {
  isLost(): boolean;
  close(): Promise<void>;
}

export interface Pool<C extends Poolable> {
  /** The caller must `release` the connection. */
  acquire(): Promise<C>;
  release(connection: C): void;
  /** Runs what may run twice: an idle connection may be found dead, and then a new one is tried. */
  use<T>(run: (connection: C) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Waiter<C> {
  readonly resolve: (connection: C | Promise<C>) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export function createPool<C extends Poolable>(
  open: () => Promise<C>,
  { size, waitTimeoutMs }: { readonly size: number; readonly waitTimeoutMs: number },
): Pool<C> {
  const idle: C[] = [];
  const acquired = new Set<C>();
  const waiters: Waiter<C>[] = [];
  let opening = 0;
  let isClosed = false;

  async function acquire(): Promise<C> {
    if (isClosed) throw new StorageUnavailableError("it is closed");
    const connection = takeIdle();
    if (connection !== null) {
      acquired.add(connection);
      return connection;
    }
    if (acquired.size + opening < size) return openNext();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(new StorageUnavailableError("all connections are in use"));
      }, waitTimeoutMs);
      const waiter = { resolve, reject, timer };
      waiters.push(waiter);
    });
  }

  async function openNext(): Promise<C> {
    opening++;
    try {
      const connection = await open();
      if (!isClosed) {
        acquired.add(connection);
        return connection;
      }
      void connection.close();
    } catch (error) {
      // The next waiter runs after `opening` was decremented, so that there is room for its connection.
      queueMicrotask(serveNext);
      throw error;
    } finally {
      opening--;
    }
    throw new StorageUnavailableError("it is closed");
  }

  function takeIdle(): C | null {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      if (!next.isLost()) return next;
      void next.close();
    }
    return null;
  }

  function release(connection: C): void {
    acquired.delete(connection);
    if (isClosed || connection.isLost()) void connection.close();
    else idle.push(connection);
    serveNext();
  }

  /** The first waiter acquires again: there is an idle connection now, or room for a new one. */
  function serveNext(): void {
    const waiter = waiters.shift();
    if (waiter === undefined) return;
    clearTimeout(waiter.timer);
    waiter.resolve(acquire());
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
      await Promise.all([...idle.splice(0), ...acquired].map((connection) => connection.close()));
    },
  };
}
