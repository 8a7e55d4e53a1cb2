/**
 * What a client of PostgreSQL can do with the same rows: a prepared statement over a table with a column
 * for each member, and `JSON.stringify`. No HTTP, no token, no query, no paging.
 */
import { randomBytes } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import type { BareOrder } from "./bare-orders.ts";

let client: Sql | undefined;
let accountId = "";

handleOrders(openOrRun);

async function openOrRun(order: BareOrder): Promise<Slice> {
  if (order.kind === "open") {
    accountId = order.accountId;
    client = postgres(order.address, { max: 1, onnotice: () => {} });
    return { count: 0, seconds: 0 };
  }
  if (client === undefined) throw new Error("No store is open");
  return run(client, order);
}

function run(sql: Sql, order: Exclude<BareOrder, { kind: "open" }>): Promise<Slice> {
  const { count } = order;
  switch (order.kind) {
    case "full":
      // Newest first finds the very rows of the service's page, in a simpler order.
      return repeat(count, async () => {
        const events = await sql`select id, type, subject_name, title, date, created_at
          from plain_events where account_id = ${accountId} and is_deleted = 0
          order by date desc limit ${order.limit}`;
        return JSON.stringify({ events });
      });
    case "changes": {
      const { moments, limit } = order;
      return repeat(count, async (index) => {
        const since = moments[index % moments.length] ?? 0;
        const events = await sql`select id, type, subject_name, title, date, created_at
          from plain_events where account_id = ${accountId} and is_deleted = 0
          and updated_at >= ${since} order by updated_at limit ${limit}`;
        return JSON.stringify({ events });
      });
    }
    case "commit": {
      const random = () => randomBytes(32).toString("base64url");
      return repeat(count, () => sql`insert into plain_tokens values (${random()}, ${random()})`);
    }
  }
}

async function repeat(
  count: number,
  work: (index: number) => PromiseLike<unknown>,
): Promise<Slice> {
  const stop = startClock();
  for (let index = 0; index < count; index++) await work(index);
  return { count, ...stop() };
}
