/** Lets so many in at a time; the others wait in the order in which they came. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export function createSemaphore(places: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      // The place goes from hand to hand: nobody who comes now gets in between.
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
