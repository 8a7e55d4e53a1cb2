/** The sync client on SQLite, in a process of its own, on a new file for each order. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { signInOnPage } from "../sync/sync-server.ts";
import { makeEdits } from "./edits.ts";
import { openClient, signInWith, syncFirst } from "./open-client.ts";

export type ClientOrder =
  | {
      readonly kind: "edits";
      readonly count: number;
      readonly isTogether: boolean;
      readonly port?: undefined;
    }
  | { readonly kind: "first-sync"; readonly count: number; readonly port: number };

handleOrders(async (order: ClientOrder): Promise<Slice> => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-bench-client-"));
  const storage = createSqliteStorage(join(folder, "device.db"));
  const client = await openClient(storage, order.port);
  try {
    if (order.kind === "first-sync") await signInWith(client, signInOnPage);
    const stop = startClock();
    if (order.kind === "edits") await makeEdits(client, order.count, order.isTogether);
    else await syncFirst(client, order.count);
    return { count: order.count, ...stop() };
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
});
