/** Runs a bounded number of tasks at a time; the others wait in order. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      // The permit passes to the next one directly, so that no newcomer overtakes it.
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
