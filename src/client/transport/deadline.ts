/** Calls back once, after a time; the returned function cancels it. */
export type SetTimer = (callback: () => void, ms: number) => () => void;

export const setGlobalTimer: SetTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** A time limit for the network, combined with the caller's signal. */
export interface Deadline {
  /** Aborts at the time limit, with the caller's signal, or on `stop`. */
  readonly signal: AbortSignal;
  reason(): "timeout" | "cancelled" | null;
  /** Runs the clock only while `wait` is pending. */
  during<T>(wait: () => Promise<T>): Promise<T>;
  /** Aborts what still uses the signal. */
  stop(): void;
}

export function createDeadline(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  setTimer: SetTimer = setGlobalTimer,
): Deadline {
  const own = new AbortController();
  let timedOut = false;
  return {
    signal: caller === undefined ? own.signal : AbortSignal.any([caller, own.signal]),
    reason: () => (caller?.aborted === true ? "cancelled" : timedOut ? "timeout" : null),
    during: async (wait) => {
      const cancel = setTimer(() => {
        timedOut = true;
        own.abort();
      }, timeoutMs);
      try {
        return await wait();
      } finally {
        cancel();
      }
    },
    stop: () => own.abort(),
  };
}
