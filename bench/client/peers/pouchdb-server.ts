import { mkdir } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { handleOrders } from "../../processes.ts";
import { createDocument, requireFrom, type PeerOrder, type PeerResult } from "./peer.ts";
import type { PouchConstructor } from "./pouchdb.ts";

type Express = RequestListener & { use(handler: unknown): void };

handleOrders(async (order: PeerOrder): Promise<PeerResult> => {
  if (order.kind !== "serve") throw new Error("A server only serves");
  const { folder, documents } = order;
  const data = join(folder, "pouchdb-server");
  await mkdir(data);
  // It writes files to the working folder.
  process.chdir(data);
  const Pouch = requireFrom<PouchConstructor>(folder, "pouchdb").defaults({ prefix: `${data}/` });
  const createHandler = requireFrom<(pouch: unknown, options: object) => unknown>(
    folder,
    "express-pouchdb",
  );
  const app = requireFrom<() => Express>(folder, "express")();
  app.use(createHandler(Pouch, { mode: "minimumForPouchDB", inMemoryConfig: true }));
  const filled = new Pouch("filled");
  await filled.bulkDocs(
    Array.from({ length: documents }, (_, number) => ({
      _id: `entry-${String(number).padStart(6, "0")}`,
      ...createDocument(number),
    })),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port };
});
