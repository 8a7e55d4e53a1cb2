import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { requireFrom } from "../../install-packages.ts";
import { handleOrders } from "../../processes.ts";
import { createDocument } from "./documents.ts";
import type { PeerOrder, PeerResult } from "./peer.ts";
import { ENTRIES, type MergeableStore, type Persister, type Tinybase } from "./tinybase.ts";

interface WebSocketServer {
  address(): AddressInfo;
  once(event: "listening", listener: () => void): void;
}

handleOrders(async (order: PeerOrder): Promise<PeerResult> => {
  if (order.kind !== "serve") throw new Error("A server only serves");
  const { folder, documents } = order;
  const data = join(folder, "tinybase-server");
  await mkdir(data);
  const { createMergeableStore } = requireFrom<Tinybase>(folder, "tinybase");
  const { createFilePersister } = requireFrom<{
    createFilePersister(store: MergeableStore, path: string): Persister;
  }>(folder, "tinybase/persisters/persister-file");
  const { createWsServer } = requireFrom<{
    createWsServer(server: unknown, createPersister: (path: string) => Persister): unknown;
  }>(folder, "tinybase/synchronizers/synchronizer-ws-server");
  const { WebSocketServer: Server } = requireFrom<{
    WebSocketServer: new (options: object) => WebSocketServer;
  }>(folder, "ws");
  const persisterOf = (path: string) =>
    createFilePersister(createMergeableStore(), join(data, `${path}.json`));

  const filled = createMergeableStore();
  filled.transaction(() => {
    for (let number = 0; number < documents; number++) {
      filled.setRow(ENTRIES, `entry-${number}`, createDocument(number));
    }
  });
  await createFilePersister(filled, join(data, "filled.json")).save();
  const server = new Server({ port: 0, host: "127.0.0.1" });
  createWsServer(server, persisterOf);
  await new Promise<void>((resolve) => server.once("listening", resolve));
  return { port: server.address().port };
});
