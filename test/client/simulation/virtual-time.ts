/**
 * The time of a simulation. Events happen one after the other, in an order that follows from the seed:
 * the next one begins when the clients have done everything that they can do without another event.
 */
export interface VirtualTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Returns the function that cancels it. An event that returns a promise lasts until that settles. */
  schedule(delayMs: number, run: () => void | Promise<void>): () => void;
  runFor(ms: number): Promise<void>;
  /** All machines sleep: what was due meanwhile happens when they wake up. */
  sleep(ms: number): void;
  /** Runs events until the condition holds; false when it does not within the time. */
  runUntil(condition: () => boolean, limitMs: number): Promise<boolean>;
  /** Lets the clients do what they can without an event. */
  drain(): Promise<void>;
}

interface ScheduledEvent {
  readonly at: number;
  readonly run: () => void | Promise<void>;
  isCancelled: boolean;
}

export function createVirtualTime(start: number): VirtualTime {
  let now = start;
  /** Ascending by time; events of one time in the order in which they were scheduled. */
  const events: ScheduledEvent[] = [];

  function schedule(delayMs: number, run: ScheduledEvent["run"]): () => void {
    const event = { at: now + Math.max(0, Math.ceil(delayMs)), run, isCancelled: false };
    let index = events.length;
    while (index > 0 && (events[index - 1]?.at ?? 0) > event.at) index--;
    events.splice(index, 0, event);
    return () => {
      event.isCancelled = true;
    };
  }

  async function runNext(until: number): Promise<boolean> {
    while (events[0]?.isCancelled === true) events.shift();
    const [event] = events;
    if (event === undefined || event.at > until) return false;
    events.shift();
    now = Math.max(now, event.at);
    await event.run();
    await drain();
    return true;
  }

  return {
    now: () => now,
    schedule,
    drain,
    sleep(ms) {
      now += ms;
    },
    async runFor(ms) {
      const until = now + ms;
      await drain();
      while (await runNext(until));
      now = Math.max(now, until);
    },
    async runUntil(condition, limitMs) {
      const until = now + limitMs;
      await drain();
      while (!condition()) if (!(await runNext(until))) return condition();
      return true;
    },
  };
}

/** Clients only wait for promises of the simulation, so all their work is done before the next turn. */
function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
