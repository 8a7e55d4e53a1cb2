/**
 * What `node:sqlite` can do with the same rows and the same settings: kept statements, one transaction
 * for each push, no validation, no merge, no HTTP. Rows are prepared before the clock runs.
 */
import { DatabaseSync } from "node:sqlite";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { pushTexts } from "./operations.ts";
import { createPushPlanner, type PushRows } from "./plan-rows.ts";

export type BareOrder =
  | { readonly kind: "open"; readonly path: string }
  | {
      readonly kind: "push";
      readonly device: string;
      readonly from: number;
      readonly count: number;
    }
  | { readonly kind: "pull"; readonly limit: number; readonly count: number }
  | { readonly kind: "read"; readonly limit: number; readonly length: number };

let handle: DatabaseSync | undefined;
let planPush: (texts: readonly string[]) => PushRows;

handleOrders(run);

function run(order: BareOrder): Slice {
  switch (order.kind) {
    case "open":
      open(order.path);
      return { count: 0, seconds: 0 };
    case "push":
      return push(order.device, order.from, order.count);
    case "pull":
      return pull(order.limit, order.count);
    case "read":
      return read(order.limit, order.length);
  }
}

function store(): DatabaseSync {
  if (handle === undefined) throw new Error("No store is open");
  return handle;
}

function open(path: string): void {
  handle = new DatabaseSync(path);
  handle.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -4096; pragma mmap_size = 0; pragma wal_autocheckpoint = 1000; pragma journal_size_limit = 16777216",
  );
  const row = handle.prepare("select head_offset from sync_log").get();
  planPush = createPushPlanner(Number(row?.["head_offset"]));
}

function push(device: string, from: number, count: number): Slice {
  const pushes = Array.from({ length: count }, (_, index) =>
    planPush(pushTexts(device, from + index)),
  );
  const operation = store().prepare("insert into sync_operations values (?, ?, ?, ?)");
  const ledger = store().prepare("insert into sync_ledger values (?, '', ?)");
  const entity = store().prepare(
    "insert into sync_entities values (?, ?) on conflict (entity_id) do update set state = excluded.state",
  );
  const head = store().prepare("update sync_log set head_offset = ? where id = 1");
  const mark = store().prepare("insert into sync_marks values (?, ?)");
  const stop = startClock();
  for (const rows of pushes) {
    store().exec("begin immediate");
    for (const row of rows.operations) operation.run(...row);
    for (const row of rows.ledger) ledger.run(...row);
    for (const row of rows.entities) entity.run(...row);
    head.run(rows.headOffset);
    mark.run(rows.headOffset, rows.mark);
    store().exec("commit");
  }
  return { count, ...stop() };
}

const PAGE =
  "select log_offset, body from sync_operations where log_offset > ? order by log_offset limit ?";

function pull(limit: number, count: number): Slice {
  const page = store().prepare(PAGE);
  const stop = startClock();
  for (let index = 0; index < count; index++) JSON.stringify(page.all(0, limit));
  return { count, ...stop() };
}

/** Page after page; counts operations. */
function read(limit: number, length: number): Slice {
  const page = store().prepare(PAGE);
  const stop = startClock();
  let after = 0;
  while (after < length) {
    const rows = page.all(after, limit);
    JSON.stringify(rows);
    after = Number(rows.at(-1)?.["log_offset"] ?? length);
  }
  return { count: length, ...stop() };
}
