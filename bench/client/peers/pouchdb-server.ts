import { mkdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { requireFrom } from "../../install-packages.ts";
import { handleOrders, listenOnLoopback } from "../../processes.ts";
import { createDocument } from "./documents.ts";
import type { PeerOrder, PeerResult } from "./peer.ts";
import type { PouchConstructor } from "./pouchdb.ts";

type Express = RequestListener & { use(handler: unknown): void };

handleOrders(async (order: PeerOrder): Promise<PeerResult> => {
  if (order.kind !== "serve") throw new Error("A server only serves");
  const { folder, documents } = order;
  const data = join(folder, "pouchdb-server");
  await mkdir(data);
  // The server writes files to the working folder.
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
  return { port: await listenOnLoopback(createServer(app)) };
});
