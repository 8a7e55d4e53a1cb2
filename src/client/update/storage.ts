/**
 * Implemented by the app, over a file or a key-value store. The text is opaque. `load` returns null
 * before the first `save`.
 */
export interface UpdateStorage {
  /** Gives the text that was saved last; null before the first. */
  load(): string | null | Promise<string | null>;
  /** Replaces the text as a whole, so that a crash leaves the former one. */
  save(text: string): void | Promise<void>;
}

/**
 * Keeps what an update client remembers in memory, for tests and programs that run once. It forgets
 * everything at the end of the process, and with it which manifests are older than one that was seen and
 * which keys were revoked.
 * @returns a storage, for the option `storage`
 */
export function createMemoryStorage(): UpdateStorage {
  let saved: string | null = null;
  return {
    load: () => saved,
    save: (text) => {
      saved = text;
    },
  };
}
