import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { requireFrom } from "../../install-packages.ts";
import { handleOrders } from "../../processes.ts";
import { createDocument } from "./documents.ts";
import { timeWarmEdits, type PeerOrder, type PeerResult } from "./peer.ts";
import type { PouchConstructor } from "./pouchdb.ts";

/** A page of Trellis has as many; PouchDB's own default, 100, is slower. */
const BATCH_SIZE = 500;

let newDevices = 0;

handleOrders(async (order: PeerOrder): Promise<PeerResult> => {
  if (order.kind === "serve") throw new Error("A device does not serve");
  const { folder, port } = order;
  const Pouch = requireFrom<PouchConstructor>(folder, "pouchdb");
  const data = join(folder, "pouchdb-devices");
  await mkdir(data, { recursive: true });
  if (order.kind === "first-sync") {
    const device = new Pouch(join(data, `new-${++newDevices}`));
    const startedAt = performance.now();
    const url = `http://127.0.0.1:${port}/filled`;
    const { docs_written: written } = await device.replicate.from(url, { batch_size: BATCH_SIZE });
    const seconds = (performance.now() - startedAt) / 1000;
    if (written !== order.documents) throw new Error(`Only ${written} documents came`);
    return { seconds };
  }
  const url = `http://127.0.0.1:${port}/live`;
  const [phone, tablet] = [new Pouch(join(data, "phone")), new Pouch(join(data, "tablet"))];
  const running = [phone, tablet].map((device) => device.sync(url, { live: true, retry: true }));
  let onShown = (_id: string) => {};
  const changes = tablet
    .changes({ live: true, since: "now" })
    .on("change", ({ id }) => onShown(id));
  const times = await timeWarmEdits(order.count, async (number) => {
    const id = `edit-${number}`;
    const shown = new Promise<void>((resolve) => {
      onShown = (found) => {
        if (found === id) resolve();
      };
    });
    await phone.put({ _id: id, ...createDocument(number) });
    await shown;
  });
  for (const one of [...running, changes]) one.cancel();
  return { times };
});
