/**
 * Turns of the event loop for work that may wait: one piece of it in each, for the whole process. SQLite
 * runs in the thread of the requests, so that all pieces that are due at once would run before the next
 * request is read.
 */
const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop that no other caller has. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
