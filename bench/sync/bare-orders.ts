/** What a bare store is asked to do, in the worker of its kind. */
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { writeOnce } from "../write-once.ts";
import { pageStart, pushTexts } from "./operations.ts";
import { createPushPlanner, type PushRows } from "./plan-rows.ts";

export type BareOrder =
  | { readonly kind: "open"; readonly address: string }
  | {
      readonly kind: "push";
      readonly device: string;
      readonly from: number;
      readonly count: number;
    }
  | {
      readonly kind: "pull";
      readonly limit: number;
      readonly count: number;
      /** The pages are those of so many operations. */
      readonly spread: number;
    }
  /** Reads page after page; counts operations. */
  | { readonly kind: "read"; readonly limit: number; readonly length: number };

export interface BareStore {
  /** The end of the store's log. */
  readonly headOffset: number;
  /** Pushes in one transaction. */
  push(rows: PushRows): unknown;
  /** The stored texts after an offset with commas between them, in the fastest way that the database has. */
  page(after: number, limit: number): string | Promise<string>;
}

export function serveBareOrders(open: (address: string) => BareStore | Promise<BareStore>): void {
  let run: ((order: Exclude<BareOrder, { kind: "open" }>) => Promise<Slice>) | null = null;
  handleOrders(async (order: BareOrder): Promise<Slice> => {
    if (order.kind === "open") {
      run = createRun(await open(order.address));
      return { count: 0, seconds: 0 };
    }
    if (run === null) throw new Error("No store is open");
    return run(order);
  });
}

function createRun(store: BareStore) {
  const planPush = createPushPlanner(store.headOffset);
  const readPage = async (after: number, limit: number): Promise<void> => {
    writeOnce(`{"operations":[${await store.page(after, limit)}]}`);
  };
  return async (order: Exclude<BareOrder, { kind: "open" }>): Promise<Slice> => {
    switch (order.kind) {
      case "push": {
        const { device, from, count } = order;
        // Rows are prepared before the clock runs.
        const pushes = Array.from({ length: count }, (_, index) =>
          planPush(pushTexts(device, from + index)),
        );
        const stop = startClock();
        for (const rows of pushes) await store.push(rows);
        return { count, ...stop() };
      }
      case "pull": {
        const { limit, count, spread } = order;
        const stop = startClock();
        for (let index = 0; index < count; index++)
          await readPage(pageStart(index, limit, spread), limit);
        return { count, ...stop() };
      }
      case "read": {
        const { limit, length } = order;
        const stop = startClock();
        for (let after = 0; after < length; after += limit) await readPage(after, limit);
        return { count: length, ...stop() };
      }
    }
  };
}
