/** What `node:sqlite` can do with the same file and settings: kept statements. No HTTP, no token, no query, no paging. */
import { openConnection } from "../../src/database/sqlite-connection.ts";
import { sqlitePath } from "../../src/database/sqlite-path.ts";
import { serveBareOrders } from "./bare-orders.ts";

serveBareOrders(({ store: address, accountId, plain }) => {
  const store = openConnection(sqlitePath(address) ?? "", { isReader: true }).handle;
  const live = "events_entries where account_id = ?1 and deleted_at is null";
  const part = (where: string, order: string) =>
    `select * from (select wire from ${live} and ${where} order by ${order} limit ?3)`;
  const full = store.prepare(`select group_concat(wire, ',') from (
    ${part("date_at >= ?2", "date_at, event_id")}
    union all ${part("date_at < ?2", "date_at desc, event_id desc")}
    union all ${part("date_at is null", "event_id")} limit ?3)`);
  const changes = store.prepare(`select group_concat(wire, ',') from (
    select wire from ${live} and updated_at >= ?2 order by updated_at limit ?3)`);
  const tokens = openConnection(plain, { isReader: false }).handle;
  const insert = tokens.prepare("insert into plain_tokens values (?, ?)");
  const read = (statement: typeof full, from: number, limit: number) => {
    statement.setReturnArrays(true);
    return (statement.get(accountId, BigInt(from), BigInt(limit)) as unknown as [string])[0];
  };
  return {
    full: (upcomingFrom, limit) => read(full, upcomingFrom, limit),
    changes: (since, limit) => read(changes, since, limit),
    commit: (code, token) => insert.run(code, token),
  };
});
