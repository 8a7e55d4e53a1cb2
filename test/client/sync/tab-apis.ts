/** What the tabs of a test share. */
import type { SyncStorage, TabApis } from "../../../src/client/index.ts";

/** Closing a tab does not close the storage of the others. */
export function shared(storage: SyncStorage): SyncStorage {
  return { ...storage, close: async () => {} };
}

/** Locks and channels between the tabs of one test, which behave like those of a browser. */
export function createTabApis(): Required<TabApis> & { readonly held: ReadonlySet<string> } {
  const held = new Set<string>();
  const waiting: { name: string; run: () => void }[] = [];
  const channels = new Map<object, { name: string; onMessage: (message: unknown) => void }>();
  const release = (name: string) => {
    held.delete(name);
    const next = waiting.findIndex((one) => one.name === name);
    if (next >= 0) waiting.splice(next, 1)[0]?.run();
  };
  return {
    held,
    locks: {
      request: (name, { signal }, work) =>
        new Promise((resolve, reject) => {
          const run = () => {
            if (signal?.aborted === true) return reject(new Error("Aborted"));
            held.add(name);
            void work()
              .then(resolve, reject)
              .finally(() => release(name));
          };
          if (held.has(name)) waiting.push({ name, run });
          else run();
          signal?.addEventListener("abort", () => {
            const index = waiting.findIndex((one) => one.run === run);
            if (index >= 0) waiting.splice(index, 1);
            reject(new Error("Aborted"));
          });
        }),
    },
    createChannel: (name, onMessage) => {
      const channel = {
        post: (message: unknown) => {
          for (const [other, receiver] of channels) {
            if (other === channel || receiver.name !== name) continue;
            setImmediate(() => channels.has(other) && receiver.onMessage(structuredClone(message)));
          }
        },
        close: () => void channels.delete(channel),
      };
      channels.set(channel, { name, onMessage });
      return channel;
    },
  };
}
