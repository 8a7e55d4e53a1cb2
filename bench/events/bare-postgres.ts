/**
 * What a client of PostgreSQL can do with the same rows: a prepared statement over a table with a column
 * for each member, and `JSON.stringify`. No HTTP, no token, no query, no paging.
 */
import postgres from "postgres";
import { serveBareOrders } from "./bare-orders.ts";

serveBareOrders((address, accountId) => {
  const sql = postgres(address, { max: 1, onnotice: () => {} });
  return {
    full: (limit) => sql`select id, type, subject_name, title, date, created_at
      from plain_events where account_id = ${accountId} and is_deleted = 0
      order by date desc limit ${limit}`,
    changes: (since, limit) => sql`select id, type, subject_name, title, date, created_at
      from plain_events where account_id = ${accountId} and is_deleted = 0
      and updated_at >= ${since} order by updated_at limit ${limit}`,
    commit: (code, token) => sql`insert into plain_tokens values (${code}, ${token})`,
  };
});
