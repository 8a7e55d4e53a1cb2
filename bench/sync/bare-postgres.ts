/** Bare PostgreSQL: prepared statements over arrays, a transaction for each push; no rules, merge or HTTP. */
import postgres from "postgres";
import { AS_INSTANCE } from "../postgres-server.ts";
import { serveBareOrders } from "./bare-orders.ts";

serveBareOrders(async (address) => {
  const store = postgres(address, { max: 1, onnotice: () => {}, ...AS_INSTANCE });
  const [log] = await store<{ head_offset: string }[]>`select head_offset from sync_log`;
  return {
    headOffset: Number(log?.head_offset),
    push: ({ operations, ledger, entities, headOffset, mark }) =>
      store.begin(async (sql) => {
        await sql`insert into sync_operations select 1, * from unnest(${column(operations, 0)}::bigint[],
          ${column(operations, 1)}::text[], ${column(operations, 2)}::text[],
          ${column(operations, 3)}::bigint[])`;
        await sql`insert into sync_ledger select 1, id, '', log_offset from unnest(
          ${column(ledger, 0)}::text[], ${column(ledger, 1)}::bigint[]) as given(id, log_offset)`;
        await sql`insert into sync_entities select 1, * from unnest(${column(entities, 0)}::text[],
          ${column(entities, 1)}::text[])
          on conflict (instance, entity_id) do update set state = excluded.state`;
        await sql`update sync_log set head_offset = ${headOffset} where instance = 1`;
        await sql`insert into sync_marks values (1, ${headOffset}, ${mark})`;
      }),
    async page(after, limit) {
      const [row] = await store<{ texts: string }[]>`select string_agg(body, ',') as texts from
        (select body from sync_operations
          where instance = 1 and log_offset > ${after} order by log_offset limit ${limit}) as o`;
      return String(row?.texts);
    },
  };
});

function column(rows: readonly (readonly (string | number)[])[], index: number): string[] {
  return rows.map((row) => String(row[index]));
}
