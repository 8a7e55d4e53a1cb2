/** Chooses the ports of a server for this machine: the usual ones, and free ones for those that are taken. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

export interface MovedPort {
  readonly usual: number;
  readonly used: number;
}

export interface ReservedPorts<Name extends string> {
  readonly ports: Readonly<Record<Name, number>>;
  readonly moved: readonly MovedPort[];
  /** Releases the ports just before the server listens itself: until then no other program gets them. */
  release(): Promise<void>;
}

const HOST = "127.0.0.1";
/**
 * A browser tries this host first for `localhost`, so a program that listens there would get its
 * requests.
 */
const OTHER_HOST = "::1";

export async function reservePorts<Name extends string>(
  usual: Readonly<Record<Name, number>>,
): Promise<ReservedPorts<Name>> {
  const held: Server[] = [];
  const ports: Record<string, number> = {};
  const moved: MovedPort[] = [];
  const release = async () => {
    await Promise.all(held.splice(0).map(close));
  };
  try {
    for (const [name, port] of Object.entries<number>(usual)) {
      const reserved = (await tryListen(HOST, port)) ?? (await listenAnywhere());
      held.push(reserved);
      const used = (reserved.address() as AddressInfo).port;
      ports[name] = used;
      if (used !== port) moved.push({ usual: port, used });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { ports: ports as Record<Name, number>, moved, release };
}

/** How often a server starts over: more than once in a row is no coincidence. */
const MAX_STARTS = 3;

/** Another program may take a port between its release and the moment when the server listens there. */
export async function startOnReserved<T>(start: () => Promise<T>): Promise<T> {
  for (let starts = 1; ; starts++) {
    try {
      return await start();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE" || starts === MAX_STARTS) throw error;
    }
  }
}

async function listenAnywhere(): Promise<Server> {
  const server = await tryListen(HOST, 0);
  if (server === null) throw new Error("No port of this machine is free");
  return server;
}

/** Listens on a port; null when another program uses the port, or this one may not. */
async function tryListen(host: string, port: number): Promise<Server | null> {
  if (port !== 0 && (await isTakenElsewhere(port))) return null;
  return openServer(host, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE" || error.code === "EACCES") return null;
    throw error;
  });
}

async function isTakenElsewhere(port: number): Promise<boolean> {
  try {
    await close(await openServer(OTHER_HOST, port));
    return false;
  } catch (error) {
    // Any other error means that this machine has no such address.
    return (error as NodeJS.ErrnoException).code === "EADDRINUSE";
  }
}

async function openServer(host: string, port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ host, port, exclusive: true });
  await once(server, "listening");
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
