/** Two devices in one process: how long an edit on one takes until the other shows it, in milliseconds. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import { createFolder } from "../create-folder.ts";
import { handleOrders } from "../processes.ts";
import { signInOnPage } from "../sync/sync-server.ts";
import { openClient, signInWith } from "./open-client.ts";
import { openRows } from "./rows.ts";
import { timeEdits } from "./time-edits.ts";

export type LiveOrder =
  | { readonly kind: "open"; readonly port: number; readonly relayPort: number }
  | { readonly kind: "client" | "bare"; readonly count: number }
  | { readonly kind: "close" };

/** Makes the edit with this number; resolves when the other device shows it. */
type Edit = (number: number) => Promise<void>;

let edits: { readonly client: Edit; readonly bare: Edit } | null = null;
const closing: (() => Promise<unknown>)[] = [];

handleOrders(async (order: LiveOrder): Promise<readonly number[]> => {
  if (order.kind === "open") {
    const { path: folder, remove } = await createFolder();
    closing.push(remove);
    edits = {
      client: await openDevices(folder, order.port),
      bare: await openBareDevices(folder, order.relayPort),
    };
    return [];
  }
  if (order.kind === "close") {
    for (const close of closing.toReversed()) await close();
    return [];
  }
  const edit = edits?.[order.kind];
  if (edit === undefined) throw new Error("No devices are open");
  return timeEdits(order.count, () => edit(++number));
});

let number = 0;

async function openDevices(folder: string, port: number): Promise<Edit> {
  const [phone, tablet] = await Promise.all(
    ["phone", "tablet"].map(async (name) => {
      const storage = createSqliteStorage(join(folder, `${name}.db`));
      const client = await openClient(storage, port, { isLive: true });
      closing.push(() => client.close());
      await signInWith(client, signInOnPage);
      return client;
    }),
  );
  if (phone === undefined || tablet === undefined) throw new Error("There are no two devices");
  // Both devices follow the changes after this pause.
  await sleep(1000);
  return async (value) => {
    const entityId = `setting/edit-${value}`;
    const shown = new Promise<void>((resolve) => {
      const stop = tablet.subscribe(() => {
        if (tablet.entities.get(entityId) === undefined) return;
        stop();
        resolve();
      });
    });
    await phone.create(entityId, { value });
    await shown;
  };
}

async function openBareDevices(folder: string, port: number): Promise<Edit> {
  const url = `http://127.0.0.1:${port}/`;
  const add = { phone: openRows(join(folder, "a.db")), tablet: openRows(join(folder, "b.db")) };
  const ended = new AbortController();
  closing.push(async () => ended.abort());
  const { body } = await fetch(url, { signal: ended.signal });
  if (body === null) throw new Error("The relay sends no stream");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  return async (value) => {
    const row = JSON.stringify({ edit: value });
    add.phone(row);
    const sent = fetch(url, { method: "POST", body: row });
    for (let received = ""; !received.includes(row);) {
      received += (await reader.read()).value ?? "";
    }
    add.tablet(row);
    await (await sent).arrayBuffer();
  };
}
