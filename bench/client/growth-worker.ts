/** What must not grow with the data of a device: opening, a list after an edit, and all of an upload but its pushes. */
import { existsSync } from "node:fs";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import type { SyncClient } from "../../src/client/index.ts";
import { startClock } from "../clock.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { signInOnPage } from "../sync/sync-server.ts";
import { createEntries, ENTRY_TYPE, entryId } from "./entries.ts";
import { openClient, signInWith } from "./open-client.ts";

export type GrowthOrder =
  /** The file is filled with so many entities when it is missing. */
  | { readonly kind: "open" | "list"; readonly path: string; readonly entities: number }
  | {
      readonly kind: "upload";
      readonly path: string;
      readonly entities: number;
      readonly port: number;
    };

export interface GrowthResult extends Slice {
  /** Of an upload: the time from the first push to the pull after the last one. */
  readonly pushSeconds?: number;
}

const EDITS = 200;

handleOrders(async (order: GrowthOrder): Promise<GrowthResult> => {
  if (order.kind === "upload") return upload(order);
  const { kind, path, entities } = order;
  if (!existsSync(path)) {
    const filled = await openClient(createSqliteStorage(path));
    await createEntries(filled, entities);
    await filled.close();
  }
  const storage = createSqliteStorage(path);
  const stop = startClock();
  const client = await openClient(storage);
  const opening = stop();
  const slice = kind === "open" ? { count: 1, ...opening } : await listAfterEdits(client, entities);
  await client.close();
  return slice;
});

async function listAfterEdits(client: SyncClient, entities: number): Promise<Slice> {
  await client.loaded;
  client.entities.list(ENTRY_TYPE);
  const stop = startClock();
  for (let edit = 0; edit < EDITS; edit++) {
    const number = Math.floor((edit * entities) / EDITS);
    await client.patch(entryId(number), { count: edit % 9 });
    const { length } = client.entities.list(ENTRY_TYPE);
    if (length !== entities) throw new Error(`${length} of ${entities} entities are listed`);
  }
  return { count: EDITS, ...stop() };
}

async function upload(order: GrowthOrder & { readonly kind: "upload" }): Promise<GrowthResult> {
  const times = { firstPush: 0, pullAfter: 0 };
  const client = await openClient(createSqliteStorage(order.path), order.port, {
    fetch(url, init) {
      if (url.endsWith("/v1/push")) {
        times.firstPush ||= performance.now();
        times.pullAfter = 0;
      } else times.pullAfter ||= performance.now();
      return fetch(url, init);
    },
  });
  await signInWith(client, signInOnPage);
  await client.sync();
  await createEntries(client, order.entities);
  const stop = startClock();
  const result = await client.sync();
  const slice = stop();
  await client.close();
  if (result.kind !== "synced" || result.pushed !== order.entities) {
    throw new Error(`The upload failed: ${JSON.stringify(result)}`);
  }
  const pushSeconds = (times.pullAfter - times.firstPush) / 1000;
  return { count: order.entities, ...slice, pushSeconds };
}
