/** What a bare store is asked to do, in the worker of its kind. */
import { randomBytes } from "node:crypto";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { writeOnce } from "../write-once.ts";

export type BareOrder =
  | ({ readonly kind: "open" } & BareHome)
  | {
      readonly kind: "full";
      readonly upcomingFrom: number;
      readonly limit: number;
      readonly count: number;
    }
  | {
      readonly kind: "changes";
      /** The moments are used in turn. */
      readonly moments: readonly number[];
      readonly limit: number;
      readonly count: number;
    }
  /** A row in a durable transaction each. */
  | { readonly kind: "commit"; readonly count: number };

export interface BareHome {
  /** The address of the service's own store, whose lists are read. */
  readonly store: string;
  readonly accountId: string;
  /** The address of a database for commits. */
  readonly plain: string;
}

/** Pages are the stored texts with commas between them, in the fastest way that the database has. */
export interface BareStore {
  full(upcomingFrom: number, limit: number): string | Promise<string>;
  changes(since: number, limit: number): string | Promise<string>;
  commit(code: string, token: string): unknown;
}

export function serveBareOrders(open: (home: BareHome) => BareStore): void {
  let store: BareStore | undefined;
  handleOrders(async (order: BareOrder): Promise<Slice> => {
    if (order.kind === "open") {
      store = open(order);
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
      return async () => writeList(await full(order.upcomingFrom, order.limit));
    case "changes": {
      const { moments, limit } = order;
      return async (index) => {
        const since = moments[index % moments.length] ?? 0;
        writeList(await changes(since, limit));
      };
    }
    case "commit":
      return () => commit(random(), random());
  }
}

function writeList(text: string): void {
  writeOnce(`{"events":[${text}]}`);
}
