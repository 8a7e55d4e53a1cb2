/**
 * How a host admits a request to a store, by whom it is from: the files of this folder.
 *
 * ```text
 *            a token of the instance                             none, or a refused one
 *                      │                                      (refused-tokens) │
 *                      │                                      strangers-bodies ▼  the body, within a budget of bytes
 *                      │                                        opening-budget ▼  few openings of closed stores
 *                      ▼                                                       ▼
 *               ../open-instances: the store is open, or is opened in the place of an idle one
 *                      │                                                       │
 *           fair-turns ▼  one line per instance                                │
 *           pause-turn ▼  the turn rests while the body is received            │
 *       receive-bodies ▼  few bodies of one token at once                      │
 *                      └──────────────▶ the service responds ◀─────────────────┘
 *                                      watch-body: each part of a long response takes a turn
 * ```
 *
 * What a stranger can make the process do is bounded by budgets, and what a device does is shared fairly: each
 * instance has a line, and of the lines that wait the one that has used the least time is next (start-time fair
 * queueing). So a loud instance slows itself, whatever its requests cost, and a flood of strangers takes neither
 * the turns nor the open stores of devices.
 */
import { performance } from "node:perf_hooks";

export interface FairTurns {
  /**
   * Resolves when it is the turn of the line, with what ends the turn; null when as many of its requests
   * wait as may. A free turn is taken at once, without a promise.
   */
  take(name: string, maxWaiting?: number): EndTurn | Promise<EndTurn> | null;
}

export type EndTurn = () => void;

export interface TurnSettings {
  /** How many requests have a turn at once. */
  readonly atOnce: number;
  now?(): number;
}

interface Line {
  usedMs: number;
  running: number;
  /** The turns that take too long: others need not wait for them, but their own line does for too many. */
  overdue: number;
  readonly waiting: (() => void)[];
  endedAt: number;
  /** The time of all turns when its last one ended. */
  endedBusyMs: number;
  /** Whether its last request came soon after the one before it. */
  isQuick: boolean;
}

/** While `CROWD` requests of a line wait, its time counts `CROWD_FACTOR` times: one device goes before it. */
const CROWD = 4;
const CROWD_FACTOR = 4;
/** What a line may have used more than the others: it waits for a few turns of each, not for seconds. */
const MAX_LEAD_MS = 40;
/**
 * A device that pulls page after page has no request here between two pages. A line that has used
 * `LAG_MS` more waits up to `RESERVED_MS` for the next page, because its own turn may take longer than many pages.
 * The wait counts as time of the device: by doing nothing it gets no more than by work.
 */
const LAG_MS = 0.5;
const RESERVED_MS = 8;
/** A turn that takes longer waits for something else, a lock of another process for example. */
const MAX_TURN_MS = 50;
/** How many turns of a line may take longer before the line itself waits. */
const MAX_OVERDUE = 8;
/** After this rest a line counts from zero again. */
const FORGET_MS = 1000;

export function createFairTurns({
  atOnce,
  now = () => performance.now(),
}: TurnSettings): FairTurns {
  const lines = new Map<string, Line>();
  /** The lines of which a request waits, in the order in which they came. */
  const waiting = new Set<Line>();
  /** The turns that others wait for, the oldest first. */
  const turns = new Set<{ readonly line: Line; readonly startedAt: number }>();
  /** The used time of the line that began last: who comes now has missed nothing before it. */
  let clockMs = 0;
  let busyMs = 0;
  /** The line, of those without a request, that ended a moment ago and has used the least. */
  let rested: Line | null = null;
  /** Since when the turn is kept for that line, although others wait. */
  let reservedSince: number | null = null;
  /** Closed from the end of a turn until the event loop has read what others have sent meanwhile. */
  let isGateOpen = true;
  let timer: NodeJS.Timeout | undefined;
  let forgottenAt = now();

  function findLine(name: string): Line {
    let line = lines.get(name);
    if (line === undefined) {
      line = { ...NEW_LINE, waiting: [] };
      lines.set(name, line);
    }
    if (isIdle(line)) {
      line.usedMs = Math.max(line.usedMs, clockMs);
      line.isQuick = restedMs(line) < RESERVED_MS;
    }
    return line;
  }

  function begin(line: Line): EndTurn {
    const turn = { line, startedAt: now() };
    endReservation(turn.startedAt);
    turns.add(turn);
    clockMs = Math.max(clockMs, line.usedMs);
    line.running++;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      if (!turns.delete(turn)) line.overdue--;
      line.running--;
      line.endedAt = now();
      const tookMs = line.endedAt - turn.startedAt;
      busyMs += tookMs;
      line.endedBusyMs = busyMs;
      const countedMs = tookMs * (line.waiting.length >= CROWD ? CROWD_FACTOR : 1);
      line.usedMs = Math.min(line.usedMs + countedMs, Math.max(line.usedMs, clockMs + MAX_LEAD_MS));
      const isNext = isIdle(line) && line.isQuick;
      if (isNext && (!isResting(rested) || line.usedMs <= rested.usedMs)) rested = line;
      forget(line.endedAt);
      isGateOpen = false;
      setImmediate(openGate);
    };
  }

  function openGate(): void {
    isGateOpen = true;
    startNext();
  }

  function endReservation(at: number): void {
    if (reservedSince !== null && rested !== null) rested.usedMs += at - reservedSince;
    reservedSince = null;
  }

  function isResting(line: Line | null): line is Line {
    return line !== null && isIdle(line) && restedMs(line) < RESERVED_MS;
  }

  /** For how long the line could have come: while others have their turns, the process does not read what it sends. */
  function restedMs({ endedAt, endedBusyMs }: Line): number {
    return now() - endedAt - (busyMs - endedBusyMs);
  }

  /** How long the line waits for one that has used less and may come again. */
  function reservedMs(line: Line): number {
    if (!isResting(rested)) return 0;
    const idleMs = reservedSince === null ? 0 : now() - reservedSince;
    const isAhead = line.usedMs - rested.usedMs - idleMs > LAG_MS;
    return isAhead ? RESERVED_MS - restedMs(rested) : 0;
  }

  /** How long it takes until a turn is free, unless one ends before. */
  function untilFreeMs(): number {
    for (const turn of turns) {
      if (turns.size < atOnce) break;
      const restMs = MAX_TURN_MS - (now() - turn.startedAt);
      if (restMs > 0) return restMs;
      turns.delete(turn);
      turn.line.overdue++;
    }
    return 0;
  }

  function startNext(): void {
    clearTimeout(timer);
    if (!isGateOpen || waiting.size === 0) return;
    let waitMs = untilFreeMs();
    let next: Line | undefined;
    for (const line of waiting) {
      if (line.overdue >= MAX_OVERDUE) continue;
      if (next === undefined || line.usedMs < next.usedMs) next = line;
    }
    if (next === undefined) return;
    if (waitMs <= 0) {
      waitMs = reservedMs(next);
      if (waitMs > 0) reservedSince ??= now();
    }
    if (waitMs > 0) {
      timer = setTimeout(startNext, waitMs);
      return;
    }
    const start = next.waiting.shift();
    waiting.delete(next);
    if (next.waiting.length > 0) waiting.add(next);
    start?.();
  }

  function forget(at: number): void {
    if (at - forgottenAt < FORGET_MS) return;
    forgottenAt = at;
    for (const [name, line] of lines) {
      if (isIdle(line) && at - line.endedAt >= FORGET_MS) lines.delete(name);
    }
  }

  return {
    take(name, maxWaiting = Number.POSITIVE_INFINITY) {
      const line = findLine(name);
      const isFree =
        isGateOpen && waiting.size === 0 && untilFreeMs() <= 0 && reservedMs(line) <= 0;
      if (isFree) return begin(line);
      if (line.waiting.length >= maxWaiting) return null;
      const { promise, resolve } = Promise.withResolvers<EndTurn>();
      line.waiting.push(() => resolve(begin(line)));
      waiting.add(line);
      startNext();
      return promise;
    },
  };
}

const NEW_LINE = {
  usedMs: 0,
  running: 0,
  overdue: 0,
  endedAt: Number.NEGATIVE_INFINITY,
  endedBusyMs: 0,
  isQuick: false,
};

function isIdle({ running, waiting }: Line): boolean {
  return running === 0 && waiting.length === 0;
}
