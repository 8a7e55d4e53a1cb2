/**
 * A bounded number of connections that all instances of a process share; a lost one is closed and replaced.
 * The pool of the `postgres` package has neither a deadline for a statement nor a way to close one
 * connection: when a network goes silent without closing its connections, it waits until the system gives
 * them up. Nor has it turns: the instances that wait get a connection one after another, however many
 * requests each of them has.
 */
import { StorageUnavailableError } from "./database.ts";

export interface Poolable {
  isLost(): boolean;
  close(): Promise<void>;
}

/** Each kind of work has a bound, so that writers who wait for a lock, or slow readers, leave some to others. */
export type Lane = "read" | "write" | "stream" | "upkeep";

/** Who wants a connection, and what for: of one instance all wait in one line. */
export interface Turn {
  readonly line: number;
  readonly lane: Lane;
}

export interface PoolSettings {
  readonly size: number;
  /** How many connections each lane may have at once. */
  readonly lanes: Readonly<Record<Lane, number>>;
  readonly waitTimeoutMs: number;
}

export interface Pool<C extends Poolable> {
  /** The caller must `release` the connection. */
  acquire(turn: Turn): Promise<C>;
  release(connection: C): void;
  /** Runs what may run twice: an idle connection may be found dead, and then a new one is tried. */
  use<T>(turn: Turn, run: (connection: C) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Waiter<C> {
  readonly lane: Lane;
  readonly resolve: (connection: Promise<C>) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export function createPool<C extends Poolable>(
  open: () => Promise<C>,
  { size, lanes, waitTimeoutMs }: PoolSettings,
): Pool<C> {
  const idle: C[] = [];
  const laneByConnection = new Map<C, Lane>();
  /** Including those that are being opened. */
  const used: Record<Lane, number> = { read: 0, write: 0, stream: 0, upkeep: 0 };
  /** The line that was served last is the last of the map. */
  const waitersByLine = new Map<number, Waiter<C>[]>();
  let isClosed = false;

  function hasRoom(lane: Lane): boolean {
    const all = used.read + used.write + used.stream + used.upkeep;
    return all < size && used[lane] < lanes[lane];
  }

  async function acquire({ line, lane }: Turn): Promise<C> {
    if (isClosed) throw closedError();
    if (hasRoom(lane)) return take(lane);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        removeWaiter(line, waiter);
        reject(new StorageUnavailableError("all connections are in use"));
      }, waitTimeoutMs);
      const waiter = { lane, resolve, reject, timer };
      const waiters = waitersByLine.get(line);
      if (waiters === undefined) waitersByLine.set(line, [waiter]);
      else waiters.push(waiter);
    });
  }

  async function take(lane: Lane): Promise<C> {
    used[lane]++;
    try {
      const connection = takeIdle(lane) ?? (await open());
      if (isClosed) {
        void connection.close();
        throw closedError();
      }
      laneByConnection.set(connection, lane);
      return connection;
    } catch (error) {
      used[lane]--;
      serve();
      throw error;
    }
  }

  /** The connection that was used last has statements prepared; upkeep leaves it to the others. */
  function takeIdle(lane: Lane): C | null {
    const take = () => (lane === "upkeep" ? idle.shift() : idle.pop());
    for (let next = take(); next !== undefined; next = take()) {
      if (!next.isLost()) return next;
      void next.close();
    }
    return null;
  }

  function release(connection: C): void {
    const lane = laneByConnection.get(connection);
    if (lane === undefined) return;
    laneByConnection.delete(connection);
    used[lane]--;
    if (isClosed || connection.isLost()) void connection.close();
    else if (lane === "upkeep") idle.unshift(connection);
    else idle.push(connection);
    serve();
  }

  /** Gives what is free to those who wait: one of each line in turn, and upkeep before all of them. */
  function serve(): void {
    for (let next = findNext(); next !== null; next = findNext()) {
      const { line, waiter } = next;
      removeWaiter(line, waiter);
      const others = waitersByLine.get(line);
      if (others !== undefined) {
        waitersByLine.delete(line);
        waitersByLine.set(line, others);
      }
      clearTimeout(waiter.timer);
      waiter.resolve(take(waiter.lane));
    }
  }

  function findNext(): { readonly line: number; readonly waiter: Waiter<C> } | null {
    let found = null;
    for (const [line, waiters] of waitersByLine) {
      const waiter = waiters.find(({ lane }) => hasRoom(lane));
      if (waiter?.lane === "upkeep") return { line, waiter };
      if (waiter !== undefined) found ??= { line, waiter };
    }
    return found;
  }

  function removeWaiter(line: number, waiter: Waiter<C>): void {
    const others = waitersByLine.get(line)?.filter((other) => other !== waiter) ?? [];
    if (others.length === 0) waitersByLine.delete(line);
    else waitersByLine.set(line, others);
  }

  async function use<T>(turn: Turn, run: (connection: C) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const connection = await acquire(turn);
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
      for (const { timer, reject } of [...waitersByLine.values()].flat()) {
        clearTimeout(timer);
        reject(closedError());
      }
      waitersByLine.clear();
      const open = [...idle.splice(0), ...laneByConnection.keys()];
      await Promise.all(open.map((connection) => connection.close()));
    },
  };
}

function closedError(): StorageUnavailableError {
  return new StorageUnavailableError("it is closed");
}
