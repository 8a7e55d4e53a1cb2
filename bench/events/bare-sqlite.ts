/**
 * What `node:sqlite` can do with the same rows and the same settings: a kept statement over a table with
 * a column for each member, and `JSON.stringify`. No HTTP, no token, no query, no paging.
 */
import { DatabaseSync } from "node:sqlite";
import { serveBareOrders } from "./bare-orders.ts";

serveBareOrders((path, accountId) => {
  const store = new DatabaseSync(path);
  store.exec("pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -4096");
  const select = `select id, type, subject_name, title, date, created_at from plain_events
    where account_id = ? and is_deleted = 0`;
  const full = store.prepare(`${select} order by date desc limit ?`);
  const changes = store.prepare(`${select} and updated_at >= ? order by updated_at limit ?`);
  const insert = store.prepare("insert into plain_tokens values (?, ?)");
  return {
    full: (limit) => full.all(accountId, limit),
    changes: (since, limit) => changes.all(accountId, since, limit),
    commit: (code, token) => insert.run(code, token),
  };
});
