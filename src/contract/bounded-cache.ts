/** A cache that holds at most `maxEntries` and evicts the least recently used entry. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  getOrCreate(key: Key, create: () => Value): Value;
}

/** In a ring by use. A Map in that order would be searched past all the keys that it lost. */
interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  newer: Entry<Key, Value>;
  older: Entry<Key, Value>;
}

export function createBoundedCache<Key, Value>(maxEntries: number): BoundedCache<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>();
  let newest: Entry<Key, Value> | undefined;

  const cache: BoundedCache<Key, Value> = {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry !== newest) {
        unlink(entry);
        link(entry);
      }
      return entry.value;
    },
    set(key, value) {
      const evicted = entries.get(key) ?? (entries.size >= maxEntries ? newest?.newer : undefined);
      if (evicted !== undefined) {
        entries.delete(evicted.key);
        unlink(evicted);
      }
      const entry = { key, value } as Entry<Key, Value>;
      entries.set(key, entry);
      link(entry);
    },
    getOrCreate(key, create) {
      const known = cache.get(key);
      if (known !== undefined) return known;
      const value = create();
      cache.set(key, value);
      return value;
    },
  };
  return cache;

  /** The newest entry is followed by the oldest one. */
  function link(entry: Entry<Key, Value>): void {
    entry.older = newest ?? entry;
    entry.newer = newest?.newer ?? entry;
    entry.older.newer = entry;
    entry.newer.older = entry;
    newest = entry;
  }

  function unlink(entry: Entry<Key, Value>): void {
    entry.older.newer = entry.newer;
    entry.newer.older = entry.older;
    if (newest === entry) newest = entry.older === entry ? undefined : entry.older;
  }
}
