import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { CleanUp } from "../fixtures/clean-up.ts";

/** Sees what goes through one connection. */
export interface ProxyWatch {
  onClientData(bytes: Uint8Array | string): void;
  onServerData(bytes: Uint8Array | string): void;
}

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  isSilent: boolean;
}

function pause({ client, server }: Connection): void {
  client.pause();
  server.pause();
}

/** A server between client and store, whose connections can be watched and made to fail. */
export async function startProxy(t: CleanUp, url: string, watchConnection?: () => ProxyWatch) {
  const connections = new Set<Connection>();
  let isAway = false;
  let isCut = false;
  const proxy = createServer((client) => {
    if (isAway) return void client.destroy();
    const server = connect(Number(new URL(url).port), "127.0.0.1");
    const connection = { client, server, isSilent: false };
    connections.add(connection);
    if (isCut) pause(connection);
    const watch = watchConnection?.();
    if (watch !== undefined) {
      client.on("data", watch.onClientData);
      server.on("data", watch.onServerData);
    }
    client.on("data", (bytes) => connection.isSilent || server.write(bytes));
    server.on("data", (bytes) => connection.isSilent || client.write(bytes));
    client
      .on("error", () => {})
      .on("close", () => {
        connections.delete(connection);
        server.destroy();
      });
    server.on("error", () => {}).on("close", () => client.destroy());
    t.after(() => client.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(() => proxy.close());
  const through = new URL(url);
  through.port = String((proxy.address() as AddressInfo).port);
  const reset = () => {
    for (const { client } of connections) client.resetAndDestroy();
    connections.clear();
  };
  return {
    url: through.href,
    silence: () => connections.forEach((connection) => (connection.isSilent = true)),
    reset,
    /** Closes all connections, and new ones at once until `comeBack`. */
    goAway() {
      isAway = true;
      reset();
    },
    comeBack: () => void (isAway = false),
    /** Forwards nothing until `mend`, and then all of it: a network that is cut loses no byte of a connection that it does not end. */
    cut() {
      isCut = true;
      for (const connection of connections) pause(connection);
    },
    mend() {
      isCut = false;
      for (const { client, server } of connections) {
        client.resume();
        server.resume();
      }
    },
  };
}
