import type { StoreHarness } from "../../../store-contract/index.ts";
import type { SyncStore } from "../../../src/sync/store.ts";
import { compactMemory, createMemory, openMemoryStore, type Memory } from "./memory-store.ts";

export function createMemoryHarness(
  breakStore: (store: SyncStore, opening: number) => SyncStore = (store) => store,
): StoreHarness {
  const memories = new WeakMap<SyncStore, Memory>();
  return {
    async createPlace() {
      const memory = createMemory();
      let opening = 0;
      return {
        async open() {
          const store = breakStore(openMemoryStore(memory), opening++);
          memories.set(store, memory);
          return store;
        },
        async remove() {},
      };
    },
    isShared: true,
    async compact(store) {
      compactMemory(memories.get(store) as Memory);
    },
  };
}
