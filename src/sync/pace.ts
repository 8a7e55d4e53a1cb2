/**
 * Runs at once, and then at most once in a time: calls in between are made up for by one run at its end.
 */
export interface Paced {
  run(): void;
  stop(): void;
}

export function pace(work: () => void, gapMs: number): Paced {
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    isDue = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) begin();
    }, gapMs).unref();
    work();
  }

  return {
    run() {
      if (timer === undefined) begin();
      else isDue = true;
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      isDue = false;
    },
  };
}
