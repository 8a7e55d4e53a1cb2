/** One value in the storage of this browser, for what belongs to the device and is not synced. */
export interface LocalValue<T> {
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

export function createLocalValue<T>(key: string): LocalValue<T> {
  return {
    read() {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
      } catch {
        return null;
      }
    },
    write: (value) => localStorage.setItem(key, JSON.stringify(value)),
    remove: () => localStorage.removeItem(key),
  };
}
