/**
 * What a client of PostgreSQL can do with the same rows: prepared statements over arrays, one
 * transaction for each push, no validation, no merge, no HTTP. Rows are prepared before the clock runs.
 */
import postgres, { type Sql } from "postgres";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import type { BareOrder } from "./bare-store.ts";
import { pushTexts } from "./operations.ts";
import { createPushPlanner, type PushRows } from "./plan-rows.ts";

let client: Sql | undefined;
let planPush: (texts: readonly string[]) => PushRows;

handleOrders(run);

async function run(order: BareOrder): Promise<Slice> {
  switch (order.kind) {
    case "open":
      await open(order.path);
      return { count: 0, seconds: 0 };
    case "push":
      return push(order.device, order.from, order.count);
    case "pull":
      return pull(order.limit, order.count);
    case "read":
      return read(order.limit, order.length);
  }
}

function store(): Sql {
  if (client === undefined) throw new Error("No store is open");
  return client;
}

async function open(address: string): Promise<void> {
  client = postgres(address, { max: 1, onnotice: () => {} });
  const [row] = await client<{ head_offset: string }[]>`select head_offset from sync_log`;
  planPush = createPushPlanner(Number(row?.head_offset));
}

async function push(device: string, from: number, count: number): Promise<Slice> {
  const pushes = Array.from({ length: count }, (_, index) =>
    planPush(pushTexts(device, from + index)),
  );
  const stop = startClock();
  for (const { operations, ledger, entities, headOffset, mark } of pushes) {
    await store().begin(async (sql) => {
      await sql`insert into sync_operations select * from unnest(${column(operations, 0)}::bigint[],
        ${column(operations, 1)}::text[], ${column(operations, 2)}::text[],
        ${column(operations, 3)}::bigint[])`;
      await sql`insert into sync_ledger select id, '', log_offset from unnest(
        ${column(ledger, 0)}::text[], ${column(ledger, 1)}::bigint[]) as given(id, log_offset)`;
      await sql`insert into sync_entities select * from unnest(${column(entities, 0)}::text[],
        ${column(entities, 1)}::text[])
        on conflict (entity_id) do update set state = excluded.state`;
      await sql`update sync_log set head_offset = ${headOffset} where id = 1`;
      await sql`insert into sync_marks values (${headOffset}, ${mark})`;
    });
  }
  return { count, ...stop() };
}

function column(rows: readonly (readonly (string | number)[])[], index: number): string[] {
  return rows.map((row) => String(row[index]));
}

async function page(after: number, limit: number): Promise<number> {
  const rows = await store()<{ log_offset: string; body: string }[]>`
    select log_offset, body from sync_operations where log_offset > ${after}
    order by log_offset limit ${limit}`;
  JSON.stringify(rows);
  return Number(rows.at(-1)?.log_offset ?? Infinity);
}

async function pull(limit: number, count: number): Promise<Slice> {
  const stop = startClock();
  for (let index = 0; index < count; index++) await page(0, limit);
  return { count, ...stop() };
}

/** Page after page; counts operations. */
async function read(limit: number, length: number): Promise<Slice> {
  const stop = startClock();
  for (let after = 0; after < length;) after = await page(after, limit);
  return { count: length, ...stop() };
}
