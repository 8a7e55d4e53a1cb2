/**
 * Turns for work that may wait: one piece of it at a time, for the whole process. SQLite runs in the thread of
 * the requests, so that all pieces that are due at once would run before the next request is read. While
 * devices send requests, such work gets a fifth of the time, whatever a piece of it costs.
 */
import { performance } from "node:perf_hooks";

/** A flood of strangers is not waited for by the chunks of a device's snapshot: the two lines alternate. */
export type TurnLine = "stranger" | "device";

/** A device that sends one request after the other is back within this time. */
const AT_WORK_MS = 8;
/** The time that requests have for each millisecond of work that may wait. */
const SHARE = 4;
/** A piece that takes longer waits for something else, such as a lock: others need not wait for it. */
const MAX_TURN_MS = 20;

type Piece = () => unknown;

const waiting: Record<TurnLine, Piece[]> = { stranger: [], device: [] };
let next: TurnLine = "stranger";
let isRunning = false;
let requestAt = Number.NEGATIVE_INFINITY;

/** Runs the piece when no other has its turn; the event loop has read what was sent before it. */
export function inTurn<T>(line: TurnLine, piece: () => T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  waiting[line].push(async () => {
    try {
      resolve(await piece());
    } catch (error) {
      reject(error);
    }
  });
  if (!isRunning) {
    isRunning = true;
    setImmediate(runNext);
  }
  return promise;
}

/** The same, with a turn that ends when the work is begun: it may wait for what a client sends. */
export async function beginInTurn<T>(line: TurnLine, work: () => T | Promise<T>): Promise<T> {
  const { begun } = await inTurn(line, () => ({ begun: work() }));
  return begun;
}

/** A request that does not wait: until none has come for a moment, the work of others goes slowly. */
export function noteRequest(): void {
  requestAt = performance.now();
}

async function runNext(): Promise<void> {
  const piece = waiting[next].shift() ?? waiting[other(next)].shift();
  next = other(next);
  isRunning = piece !== undefined;
  if (piece === undefined) return;
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise((resolve) => (timer = setTimeout(resolve, MAX_TURN_MS)));
  await Promise.race([piece(), overdue]);
  clearTimeout(timer);
  setImmediate(() => {
    const endedAt = performance.now();
    if (endedAt - requestAt > AT_WORK_MS) void runNext();
    else setTimeout(runNext, SHARE * (endedAt - startedAt));
  });
}

function other(line: TurnLine): TurnLine {
  return line === "stranger" ? "device" : "stranger";
}
