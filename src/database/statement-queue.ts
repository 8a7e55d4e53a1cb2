/** The statements of one connection: one is sent at a time, and none outlives its deadline or the connection. */
import { StorageUnavailableError } from "./database.ts";
import { isConnectionFailure, toPostgresError } from "./postgres-errors.ts";
import { timeoutError } from "./postgres-socket.ts";

interface PendingStatement {
  readonly reject: (error: Error) => void;
  /** The deadline of the statement; undefined when it has none. */
  readonly timer: NodeJS.Timeout | undefined;
}

/** `onTimeout` is called when the server has not responded in time, and the connection is lost. */
export function createStatementQueue(onTimeout: () => void) {
  let isLost = false;
  /** The statements that the server has not responded to yet. */
  const pending = new Set<PendingStatement>();
  let last: Promise<unknown> = Promise.resolve();

  /** Sends after the responses to what was sent before. */
  function inOrder<T>(send: () => Promise<T>): Promise<T> {
    const response = last.then(send);
    last = response.catch(() => {});
    return response;
  }

  /** Sends a statement; a null `timeoutMs` is no deadline. */
  async function askNow<T>(query: () => PromiseLike<T>, timeoutMs: number | null): Promise<T> {
    if (isLost) throw connectionError();
    const interrupted = Promise.withResolvers<never>();
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(() => {
            interrupted.reject(timeoutError());
            isLost = true;
            onTimeout();
          }, timeoutMs);
    const statement = { reject: interrupted.reject, timer };
    pending.add(statement);
    try {
      return await Promise.race([query(), interrupted.promise]);
    } catch (error) {
      // The library reports the end of a connection only some time after its failure.
      if (isConnectionFailure(error)) isLost = true;
      throw toPostgresError(error);
    } finally {
      clearTimeout(timer);
      pending.delete(statement);
      // The server turns to the next statement only now, so its time begins now.
      for (const next of pending) next.timer?.refresh();
    }
  }

  return {
    inOrder,
    askNow,
    /** Resolves when those that wait for each other have their responses. */
    settled: () => last,
    isLost: () => isLost,
    /** Sends nothing any more. */
    lose(): void {
      isLost = true;
    },
    /** The connection has ended. */
    rejectAll(): void {
      isLost = true;
      for (const { reject } of pending) reject(connectionError());
    },
  };
}

function connectionError(): Error {
  return new StorageUnavailableError("the connection failed");
}
