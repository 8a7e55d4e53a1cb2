/** Bare `node:sqlite`, same settings: kept statements, a transaction a push; no validation, merge or HTTP. */
import { openConnection } from "../../src/database/sqlite-connection.ts";
import { serveBareOrders } from "./bare-orders.ts";

serveBareOrders((path) => {
  const { handle: store } = openConnection(path, { isReader: false });
  const operation = store.prepare("insert into sync_operations values (1, ?, ?, ?, ?)");
  const ledger = store.prepare("insert into sync_ledger values (1, ?, '', ?)");
  const entity = store.prepare(
    "insert into sync_entities values (1, ?, ?) on conflict (instance, entity_id) do update set state = excluded.state",
  );
  const head = store.prepare("update sync_log set head_offset = ? where instance = 1");
  const mark = store.prepare("insert into sync_marks values (1, ?, ?)");
  const page = store.prepare(
    "select group_concat(body, ',') as texts from (select body from sync_operations where instance = 1 and log_offset > ? order by log_offset limit ?)",
  );
  page.setReturnArrays(true);
  return {
    headOffset: Number(store.prepare("select head_offset from sync_log").get()?.["head_offset"]),
    push(rows) {
      store.exec("begin immediate");
      for (const row of rows.operations) operation.run(...row);
      for (const row of rows.ledger) ledger.run(...row);
      for (const row of rows.entities) entity.run(...row);
      head.run(rows.headOffset);
      mark.run(rows.headOffset, rows.mark);
      store.exec("commit");
    },
    page: (after, limit) => (page.get(after, limit) as unknown as [string])[0],
  };
});
