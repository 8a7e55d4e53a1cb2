/** Push readers that several services of one process share, so that they have one thread together. */
import { createPushReader, type PushReader } from "./push-reader.ts";
import type { PushRules } from "./read-push.ts";

export interface PushReaders {
  /** Closing it leaves it open for the other services. */
  share(rules: PushRules): PushReader;
  close(): Promise<void>;
}

export function createPushReaders(): PushReaders {
  const readersByRules = new Map<string, PushReader>();
  return {
    share(rules) {
      const key = JSON.stringify([rules.profile, rules.maxOperations]);
      const reader = readersByRules.get(key) ?? createPushReader(rules);
      readersByRules.set(key, reader);
      return { ...reader, close: async () => {} };
    },
    close: async () => {
      await Promise.all([...readersByRules.values()].map((reader) => reader.close()));
    },
  };
}
