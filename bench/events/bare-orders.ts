/** What a bare store is asked to do, in the worker of its kind. */
import { randomBytes } from "node:crypto";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";

export type BareOrder =
  | { readonly kind: "open"; readonly address: string; readonly accountId: string }
  | { readonly kind: "full"; readonly limit: number; readonly count: number }
  | {
      readonly kind: "changes";
      /** The moments are used in turn. */
      readonly moments: readonly number[];
      readonly limit: number;
      readonly count: number;
    }
  /** A row in a durable transaction each. */
  | { readonly kind: "commit"; readonly count: number };

export interface BareStore {
  /** Newest first finds the very rows of the service's page, in a simpler order. */
  full(limit: number): unknown;
  changes(since: number, limit: number): unknown;
  commit(code: string, token: string): unknown;
}

export function serveBareOrders(open: (address: string, accountId: string) => BareStore): void {
  let store: BareStore | undefined;
  handleOrders(async (order: BareOrder): Promise<Slice> => {
    if (order.kind === "open") {
      store = open(order.address, order.accountId);
      return { count: 0, seconds: 0 };
    }
    if (store === undefined) throw new Error("No store is open");
    const work = createWork(store, order);
    const stop = startClock();
    for (let index = 0; index < order.count; index++) await work(index);
    return { count: order.count, ...stop() };
  });
}

function createWork(
  { full, changes, commit }: BareStore,
  order: Exclude<BareOrder, { kind: "open" }>,
): (index: number) => unknown {
  const random = () => randomBytes(32).toString("base64url");
  switch (order.kind) {
    case "full":
      return async () => JSON.stringify({ events: await full(order.limit) });
    case "changes": {
      const { moments, limit } = order;
      return async (index) => {
        const since = moments[index % moments.length] ?? 0;
        return JSON.stringify({ events: await changes(since, limit) });
      };
    }
    case "commit":
      return () => commit(random(), random());
  }
}
