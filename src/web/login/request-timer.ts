/** A limit of time for one request. AbortSignal.timeout would do, but not in every browser we serve. */
export interface RequestTimer {
  readonly signal: AbortSignal;
  stop(): void;
}

export function createTimer(milliseconds: number): RequestTimer {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}
