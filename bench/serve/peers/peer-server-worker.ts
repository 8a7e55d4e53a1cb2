/** Another server in a process of its own. */
import { mkdir } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BareResponse } from "../../bare-server.ts";
import { requireFrom } from "../../install-packages.ts";
import { handleOrders, listenOnLoopback } from "../../processes.ts";
import { LATEST } from "./release-servers.ts";

interface PeerServerOrder {
  readonly peer: keyof typeof PEERS;
  /** The folder of the packages. */
  readonly folder: string;
  /** What a server of releases sends. */
  readonly release: BareResponse;
}

interface SqliteDatabase {
  pragma(text: string): unknown;
  exec(sql: string): void;
  prepare(sql: string): {
    run(value: string): void;
    pluck(): { all(limit: number): readonly string[] };
  };
  transaction<Value>(run: (value: Value) => void): (value: Value) => void;
}

interface FastifyApp {
  post(path: string, handler: (request: { readonly body: readonly object[] }) => object): void;
  get(path: string, handler: (request: never, reply: FastifyReply) => unknown): void;
  listen(options: object): Promise<string>;
  readonly server: Server;
}

interface FastifyReply {
  type(mediaType: string): FastifyReply;
  send(body: string): unknown;
}

type ExpressApp = RequestListener & {
  get(path: string, handler: (request: never, response: ExpressResponse) => unknown): void;
  disable(setting: string): void;
};

interface ExpressResponse {
  set(headers: object): ExpressResponse;
  send(body: string): unknown;
}

interface HonoApp {
  get(path: string, handler: (context: HonoContext) => unknown): void;
  readonly fetch: unknown;
}

interface HonoContext {
  body(text: string, status: number, headers: object): unknown;
}

/** As many as a page of a pull has. */
const PAGE = 500;

const PEERS = {
  async fastify({ folder }: PeerServerOrder) {
    const Database = requireFrom<new (path: string) => SqliteDatabase>(folder, "better-sqlite3");
    const store = new Database(join(folder, "log.db"));
    store.pragma("journal_mode = wal");
    store.pragma("synchronous = full");
    store.exec("create table log (position integer primary key, body text not null) strict");
    const insert = store.prepare("insert into log (body) values (?)");
    const page = store.prepare("select body from log order by position limit ?").pluck();
    const append = store.transaction((operations: readonly object[]) => {
      for (const operation of operations) insert.run(JSON.stringify(operation));
    });
    const app = requireFrom<() => FastifyApp>(folder, "fastify")();
    app.post("/push", ({ body }) => {
      append(body);
      return {};
    });
    app.get("/pull", (_request, reply) =>
      reply.type("application/json").send(`[${page.all(PAGE).join(",")}]`),
    );
    await app.listen({ port: 0, host: "127.0.0.1" });
    return (app.server.address() as AddressInfo).port;
  },

  async "durable streams"({ folder }: PeerServerOrder) {
    const { DurableStreamTestServer } = requireFrom<{
      DurableStreamTestServer: new (options: object) => { start(): Promise<string> };
    }>(folder, "@durable-streams/server");
    const dataDir = join(folder, "streams");
    await mkdir(dataDir);
    const server = new DurableStreamTestServer({ port: 0, host: "127.0.0.1", dataDir });
    return Number(new URL(await server.start()).port);
  },

  async express({ folder, release }: PeerServerOrder) {
    const app = requireFrom<() => ExpressApp>(folder, "express")();
    app.disable("x-powered-by");
    app.disable("etag");
    const text = textOf(release);
    app.get(LATEST, (_request, response) => response.set(release.headers).send(text));
    return listenOnLoopback(createServer(app));
  },

  async hono({ folder, release }: PeerServerOrder) {
    const { Hono } = requireFrom<{ Hono: new () => HonoApp }>(folder, "hono");
    const { serve } = requireFrom<{
      serve(options: object, onListen: (address: AddressInfo) => void): unknown;
    }>(folder, "@hono/node-server");
    const app = new Hono();
    const text = textOf(release);
    app.get(LATEST, (context) => context.body(text, release.status, release.headers));
    const { promise, resolve } = Promise.withResolvers<number>();
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
    return promise;
  },
};

handleOrders(async (order: PeerServerOrder) => ({ port: await PEERS[order.peer](order) }));

function textOf({ body }: BareResponse): string {
  return Buffer.from(body, "base64").toString();
}
