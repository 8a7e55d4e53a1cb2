/** Concurrent writers, and a reader that follows them. */
import type { SyncStore } from "../src/sync/store.ts";
import { append, textsOf } from "./read-store.ts";
import { sampleOperation } from "./samples.ts";

export interface Written {
  readonly offset: number;
  readonly text: string;
}

/** One writer per store, which appends small batches one after the other. */
export function writeAtOnce(stores: readonly SyncStore[], batches: number): Promise<Written[][]> {
  return Promise.all(stores.map((store, index) => write(store, `writer-${index}`, batches)));
}

async function write(store: SyncStore, deviceId: string, batches: number): Promise<Written[]> {
  const written: Written[] = [];
  for (let batch = 0, sequence = 1; batch < batches; batch++) {
    const size = 1 + (batch % 4);
    const operations = Array.from({ length: size }, () => {
      // All writers write to the same few entities.
      const entityId = `note/${sequence % 5}`;
      return sampleOperation(sequence++, { deviceId, entityId });
    });
    const receipts = await append(store, operations);
    for (const [index, { text }] of operations.entries()) {
      written.push({ text, offset: receipts[index]?.offset ?? -1 });
    }
  }
  return written;
}

/** Pulls as a device does, from page to page, until the writing is over and the head is reached. */
export async function followLog(
  { operations }: SyncStore,
  writing: Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  writing.then(end, end);
  for (let after = 0; ;) {
    const wasOver = isOver;
    const page = await operations.page(after, 7);
    seen.push(...textsOf(page));
    if (wasOver && page.lastOffset >= page.headOffset) return seen;
    after = page.lastOffset;
    // A store in memory never yields to the event loop by itself.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
