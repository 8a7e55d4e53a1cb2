/**
 * One value in the storage of this browser, for what belongs to the device and is not synced. Where a browser denies
 * the storage, there is none.
 */
export interface LocalValue<T> {
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

/** Even the name of the storage is denied in some browsers. */
export function createLocalValue<T>(key: string, storage = () => localStorage): LocalValue<T> {
  const attempt = <Result>(use: (stored: Storage) => Result): Result | null => {
    try {
      return use(storage());
    } catch {
      return null;
    }
  };
  return {
    read: () => attempt((stored) => JSON.parse(stored.getItem(key) ?? "null") as T | null),
    write: (value) => void attempt((stored) => stored.setItem(key, JSON.stringify(value))),
    remove: () => void attempt((stored) => stored.removeItem(key)),
  };
}
