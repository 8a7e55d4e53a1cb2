/** A cache that holds at most `maxEntries` and evicts the least recently used entry. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  getOrCreate(key: Key, create: () => Value): Value;
}

export function createBoundedCache<Key, Value>(maxEntries: number): BoundedCache<Key, Value> {
  // A Map iterates in insertion order, so the first key is the least recently used one.
  const entries = new Map<Key, Value>();
  const cache: BoundedCache<Key, Value> = {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined && entries.size === maxEntries) {
        // The order only matters once the cache is full.
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    set(key, value) {
      entries.delete(key);
      if (entries.size >= maxEntries) evictOldest();
      entries.set(key, value);
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

  function evictOldest(): void {
    for (const key of entries.keys()) {
      entries.delete(key);
      return;
    }
  }
}
