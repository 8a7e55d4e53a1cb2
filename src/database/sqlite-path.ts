const PREFIX = "sqlite:";

/** The path of a store `sqlite:PATH`; undefined for a server. */
export function sqlitePath(store: string): string | undefined {
  return store.startsWith(PREFIX) ? store.slice(PREFIX.length) : undefined;
}
