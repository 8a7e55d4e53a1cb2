/**
 * What `node:sqlite` can do with the same rows and the same settings: a kept statement over a table with
 * a column for each member, and `JSON.stringify`. No HTTP, no token, no query, no paging.
 */
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import type { BareOrder } from "./bare-orders.ts";

let store: DatabaseSync | undefined;
let accountId = "";

handleOrders(openOrRun);

function openOrRun(order: BareOrder): Slice {
  if (order.kind === "open") {
    accountId = order.accountId;
    store = new DatabaseSync(order.address);
    store.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -4096");
    return { count: 0, seconds: 0 };
  }
  if (store === undefined) throw new Error("No store is open");
  return run(store, order);
}

const SELECT = `select id, type, subject_name, title, date, created_at from plain_events
  where account_id = ? and is_deleted = 0`;

function run(handle: DatabaseSync, order: Exclude<BareOrder, { kind: "open" }>): Slice {
  const { count } = order;
  switch (order.kind) {
    case "full": {
      // Newest first finds the very rows of the service's page, in a simpler order.
      const page = handle.prepare(`${SELECT} order by date desc limit ?`);
      return repeat(count, () => JSON.stringify({ events: page.all(accountId, order.limit) }));
    }
    case "changes": {
      const page = handle.prepare(`${SELECT} and updated_at >= ? order by updated_at limit ?`);
      const { moments, limit } = order;
      return repeat(count, (index) => {
        const since = moments[index % moments.length] ?? 0;
        return JSON.stringify({ events: page.all(accountId, since, limit) });
      });
    }
    case "commit": {
      const insert = handle.prepare("insert into plain_tokens values (?, ?)");
      const random = () => randomBytes(32).toString("base64url");
      return repeat(count, () => insert.run(random(), random()));
    }
  }
}

function repeat(count: number, work: (index: number) => unknown): Slice {
  const stop = startClock();
  for (let index = 0; index < count; index++) work(index);
  return { count, ...stop() };
}
