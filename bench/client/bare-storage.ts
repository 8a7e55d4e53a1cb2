/** Bare `node:sqlite`: same settings and transactions, recorded before; no rules, merge, reads or HTTP. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemorySyncStorage } from "../../src/client/index.ts";
import { startClock } from "../clock.ts";
import { createFolder } from "../create-folder.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { prepareOrder, type ClientOrder } from "./client-order.ts";
import { recordWrites, type WrittenTransaction } from "./record-writes.ts";

const recorded = new Map<string, readonly WrittenTransaction[]>();

handleOrders(async (order: ClientOrder): Promise<Slice> => {
  const name = JSON.stringify(order);
  const transactions = recorded.get(name) ?? (await record(order));
  recorded.set(name, transactions);
  await using folder = await createFolder();
  using database = openDatabase(join(folder.path, "device.db"));
  const put = database.prepare(
    "INSERT INTO records (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const remove = database.prepare("DELETE FROM records WHERE key = ?");
  const stop = startClock();
  for (const writes of transactions) {
    database.exec("BEGIN IMMEDIATE");
    for (const [key, value] of writes) {
      if (value === null) remove.run(key);
      else put.run(key, value);
    }
    database.exec("COMMIT");
  }
  return { count: order.count, ...stop() };
});

async function record(order: ClientOrder): Promise<readonly WrittenTransaction[]> {
  const { storage, transactions } = recordWrites(createMemorySyncStorage());
  const { client, work } = await prepareOrder(storage, order);
  const before = transactions.length;
  await work();
  await client.close();
  return transactions.slice(before);
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE records (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `);
  return database;
}
