/** A time limit on waiting for the network, joined with the caller's own wish to stop. */

export interface Deadline {
  /** Aborts when time ran out, when the caller gave up, or when `stop` was called. */
  readonly signal: AbortSignal;
  /** Why the signal aborted, as far as it is ours to say. */
  reason(): "timeout" | "cancelled" | null;
  /** Runs `wait` against the clock; time spent outside of it does not count. */
  during<T>(wait: () => Promise<T>): Promise<T>;
  /** Ends whatever still runs on the signal. */
  stop(): void;
}

export function createDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const own = new AbortController();
  let timedOut = false;
  return {
    signal: caller === undefined ? own.signal : AbortSignal.any([caller, own.signal]),
    reason: () => (caller?.aborted === true ? "cancelled" : timedOut ? "timeout" : null),
    during: async (wait) => {
      const timer = setTimeout(() => {
        timedOut = true;
        own.abort();
      }, timeoutMs);
      try {
        return await wait();
      } finally {
        clearTimeout(timer);
      }
    },
    stop: () => own.abort(),
  };
}
