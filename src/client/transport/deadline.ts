/** Calls back once, after a time; the returned function cancels it. */
export type SetTimer = (callback: () => void, ms: number) => () => void;

export const setGlobalTimer: SetTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export type Deadline = ReturnType<typeof createDeadline>;

/** A time limit for the network, combined with the caller's signal. */
export function createDeadline(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  setTimer: SetTimer = setGlobalTimer,
) {
  const own = new AbortController();
  let timedOut = false;
  return {
    /** Aborts at the time limit, with the caller's signal, or on `stop`. */
    signal: caller === undefined ? own.signal : AbortSignal.any([caller, own.signal]),
    reason: (): "timeout" | "cancelled" | null =>
      caller?.aborted === true ? "cancelled" : timedOut ? "timeout" : null,
    /** Runs the clock only while `wait` is pending. */
    async during<T>(wait: () => Promise<T>): Promise<T> {
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
