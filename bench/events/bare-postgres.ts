/**
 * What a client of PostgreSQL can do with the same rows: prepared statements on one connection. No HTTP, no token, no
 * query, no paging.
 */
import postgres from "postgres";
import { serveBareOrders } from "./bare-orders.ts";

serveBareOrders(({ store: address, accountId, plain }) => {
  const store = postgres(address, { max: 1, onnotice: () => {} });
  const tokens = postgres(plain, { max: 1, onnotice: () => {} });
  return {
    async full(upcomingFrom, limit) {
      const live = store`events_entries where account_id = ${accountId} and deleted_at is null`;
      const [row] = await store<{ text: string }[]>`
        with upcoming as (select string_agg(wire, ',') as text, count(*) as size from (
            select wire from ${live} and date_at >= ${upcomingFrom}
            order by date_at, event_id collate "C" limit ${limit}) as u),
          past as (select string_agg(wire, ',') as text, count(*) as size from (
            select wire from ${live} and date_at < ${upcomingFrom}
            order by date_at desc, event_id collate "C" desc
            limit ${limit} - (select size from upcoming)) as p),
          undated as (select string_agg(wire, ',') as text from (
            select wire from ${live} and date_at is null order by event_id collate "C"
            limit ${limit} - (select size from upcoming) - (select size from past)) as n)
        select concat_ws(',', upcoming.text, past.text, undated.text) as text
        from upcoming, past, undated`;
      return String(row?.text);
    },
    async changes(since, limit) {
      const [row] = await store<{ text: string }[]>`select string_agg(wire, ',') as text from (
        select wire from events_entries where account_id = ${accountId} and deleted_at is null
        and updated_at >= ${since} order by updated_at limit ${limit}) as changed`;
      return String(row?.text);
    },
    commit: (code, token) => tokens`insert into plain_tokens values (${code}, ${token})`,
  };
});
