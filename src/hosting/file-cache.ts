/** Small files that are asked for again and again: each is read again only after it has changed. */
import { statSync } from "node:fs";
import { createBoundedCache } from "../contract/bounded-cache.ts";

/** Null when there is no such file, or it cannot be read. What was read of `maxFiles` of them is kept. */
export function createFileCache<T>(
  maxFiles: number,
  read: (path: string) => T,
): (path: string) => T | null {
  const cache = createBoundedCache<string, { readonly version: string; readonly value: T }>(
    maxFiles,
  );
  return (path) => {
    try {
      // Synchronous: a look takes 2 µs, a thread of the pool would take 30 µs.
      const { ino, ctimeMs, size } = statSync(path);
      // Whatever changes a file, its rights included, changes ctime.
      const version = `${ino} ${ctimeMs} ${size}`;
      const known = cache.get(path);
      if (known?.version === version) return known.value;
      const value = read(path);
      cache.set(path, { version, value });
      return value;
    } catch {
      return null;
    }
  };
}
