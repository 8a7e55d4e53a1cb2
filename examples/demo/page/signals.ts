/** Waits for what happens elsewhere: a message of a device, a state of the server. */

/** It did not happen in time. */
export class NotSeenError extends Error {}

const PATIENCE_MS = 20_000;

export interface Signals<T> {
  emit(value: T): void;
  /** Resolves with the next value that matches. */
  next(matches: (value: T) => boolean): Promise<T>;
}

export function createSignals<T>(): Signals<T> {
  const waiting = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const look of waiting) look(value);
    },
    next(matches) {
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const timer = setTimeout(() => {
          end();
          reject(new NotSeenError("It did not happen in time"));
        }, PATIENCE_MS);
        const look = (value: T) => {
          if (!matches(value)) return;
          end();
          resolve(value);
        };
        waiting.add(look);
      });
    },
  };
}
