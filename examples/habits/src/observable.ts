/** A value that views follow. */
import { useEffect, useState } from "preact/hooks";

export interface Observable<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function createObservable<T>(initial: T): Observable<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useObservable<T>(observable: Observable<T>): T {
  const [value, setValue] = useState(observable.get());
  useEffect(() => {
    const update = () => setValue(() => observable.get());
    update();
    return observable.subscribe(update);
  }, [observable]);
  return value;
}
