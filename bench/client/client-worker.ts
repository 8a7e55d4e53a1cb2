/** The sync client on SQLite, in a process of its own, on a new file for each order. */
import { join } from "node:path";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import { startClock } from "../clock.ts";
import { createFolder } from "../create-folder.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { prepareOrder, type ClientOrder } from "./client-order.ts";

handleOrders(async (order: ClientOrder): Promise<Slice> => {
  await using folder = await createFolder();
  const storage = createSqliteStorage(join(folder.path, "device.db"));
  const { client, work } = await prepareOrder(storage, order);
  const stop = startClock();
  await work();
  const times = stop();
  await client.close();
  return { count: order.count, ...times };
});
