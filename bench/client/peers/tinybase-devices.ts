import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { requireFrom } from "../../install-packages.ts";
import { handleOrders } from "../../processes.ts";
import { createDocument } from "./documents.ts";
import { timeWarmEdits, type PeerOrder, type PeerResult } from "./peer.ts";
import { ENTRIES, type MergeableStore, type Persister, type Tinybase } from "./tinybase.ts";

interface Synchronizer {
  startSync(): Promise<unknown>;
  destroy(): Promise<unknown>;
}

interface Device {
  readonly store: MergeableStore;
  readonly persister: Persister;
  sync(path: string): Promise<Synchronizer>;
}

let newDevices = 0;

handleOrders(async (order: PeerOrder): Promise<PeerResult> => {
  if (order.kind === "serve") throw new Error("A device does not serve");
  const { folder, port } = order;
  const data = join(folder, "tinybase-devices");
  await mkdir(data, { recursive: true });
  if (order.kind === "first-sync") {
    const device = await openDevice(folder, port, join(data, `new-${++newDevices}.db`));
    const startedAt = performance.now();
    const isThere = () => device.store.getRowCount(ENTRIES) === order.documents;
    const received = whenShown(device.store, isThere);
    const synchronizer = await device.sync("filled");
    await received;
    await device.persister.save();
    const seconds = (performance.now() - startedAt) / 1000;
    await synchronizer.destroy();
    return { seconds };
  }
  const phone = await openDevice(folder, port, join(data, "phone.db"));
  const tablet = await openDevice(folder, port, join(data, "tablet.db"));
  const running = [await phone.sync("live"), await tablet.sync("live")];
  const times = await timeWarmEdits(order.count, async (number) => {
    const id = `edit-${number}`;
    const shown = whenShown(tablet.store, () => tablet.store.hasRow(ENTRIES, id));
    phone.store.setRow(ENTRIES, id, createDocument(number));
    await shown;
  });
  for (const synchronizer of running) await synchronizer.destroy();
  return { times };
});

async function openDevice(folder: string, port: number, path: string): Promise<Device> {
  const { createMergeableStore } = requireFrom<Tinybase>(folder, "tinybase");
  const { createSqliteNodePersister } = requireFrom<{
    createSqliteNodePersister(store: MergeableStore, database: DatabaseSync): Persister;
  }>(folder, "tinybase/persisters/persister-sqlite-node");
  const { createWsSynchronizer } = requireFrom<{
    createWsSynchronizer(store: MergeableStore, socket: WebSocket): Promise<Synchronizer>;
  }>(folder, "tinybase/synchronizers/synchronizer-ws-client");
  const store = createMergeableStore();
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  const persister = createSqliteNodePersister(store, database);
  await persister.startAutoPersisting();
  return {
    store,
    persister,
    async sync(name) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/${name}`);
      const synchronizer = await createWsSynchronizer(store, socket);
      await synchronizer.startSync();
      return synchronizer;
    },
  };
}

function whenShown(store: MergeableStore, isShown: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    store.addRowIdsListener(ENTRIES, () => {
      if (isShown()) resolve();
    });
    if (isShown()) resolve();
  });
}
