/** Servers of others that hold a log: what each does on a push, and the requests of its clients. */
import { pushTexts } from "../../sync/operations.ts";
import type { Peer } from "./start-peers.ts";

export interface PeerLog extends Peer {
  /** What a push does before its response. */
  readonly onPush: string;
  readonly onPage: string;
  /** How many requests a slice has: a slow server gets fewer, so that a run ends within minutes. */
  readonly count: number;
  readonly pushPath: string;
  readonly pagePath: string;
  /** Where the operations of the page are pushed to: a stream has no limit, so the page is a stream by itself. */
  readonly fillPath: string;
  /** The body of a push. */
  body(texts: readonly string[]): string;
}

const list = (texts: readonly string[]) => `[${texts.join(",")}]`;

export const LOG_SERVERS: readonly PeerLog[] = [
  {
    name: "Fastify 5.12, better-sqlite3 13.2",
    packages: ["fastify@5.12.8", "better-sqlite3@13.2.0"],
    onPush: "rows in one transaction, waits for the disk",
    onPage: "stored rows",
    count: 64,
    start: (startWorker, folder) =>
      startWorker("serve/peers/peer-server-worker.ts", { peer: "fastify", folder }),
    pushPath: "/push",
    fillPath: "/push",
    pagePath: "/pull",
    body: list,
  },
  {
    name: "PouchDB 9.0 on LevelDB, express-pouchdb 4.2",
    packages: ["pouchdb@9.0.0", "express-pouchdb@4.2.0", "express@4"],
    onPush: "a revision of each, does not wait for the disk",
    onPage: "changes with their documents",
    count: 16,
    async start(startWorker, folder) {
      const order = { kind: "serve", folder, documents: 0 };
      const server = await startWorker("client/peers/pouchdb-server.ts", order);
      await put(server.port, "/log");
      return server;
    },
    pushPath: "/log/_bulk_docs",
    fillPath: "/log/_bulk_docs",
    pagePath: "/log/_changes?include_docs=true&limit=500",
    body: (texts) => `{"docs":${list(texts)}}`,
  },
  {
    name: "Durable Streams 0.3, the reference server",
    packages: ["@durable-streams/server@0.3.7"],
    onPush: "messages in one append, waits for the disk",
    onPage: "messages of a stream",
    count: 64,
    async start(startWorker, folder) {
      const order = { peer: "durable streams", folder };
      const server = await startWorker("serve/peers/peer-server-worker.ts", order);
      await put(server.port, "/v1/stream/log");
      await put(server.port, "/v1/stream/page");
      return server;
    },
    pushPath: "/v1/stream/log",
    fillPath: "/v1/stream/page",
    pagePath: "/v1/stream/page?offset=-1",
    body: list,
  },
];

/** Creates a log. */
async function put(port: number, path: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: "PUT", headers });
  if (status !== 201) throw new Error(`PUT ${path} got ${status}`);
}

/** Pushes of the operations of a busy app; no two of a run are the same. */
export function createPushes({ body }: PeerLog): (path: string, count: number) => string[] {
  let pushes = 0;
  return (path, count) =>
    Array.from({ length: count }, () => post(path, body(pushTexts("peer", pushes++))));
}

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
