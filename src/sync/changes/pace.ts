/** Runs at once, and then at most once in a time: calls in between are made up for by one run at its end. */
export function pace(work: () => void, gapMs: number) {
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
    run(): void {
      if (timer === undefined) begin();
      else isDue = true;
    },
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
      isDue = false;
    },
  };
}
