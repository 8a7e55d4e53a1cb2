/** The least that keeps an edit and brings it to another device: one commit, and the text to every stream. */
import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { handleOrders, listenOnLoopback } from "../processes.ts";
import { openRows } from "./rows.ts";

export interface RelayOrder {
  readonly path: string;
}

handleOrders(async ({ path }: RelayOrder): Promise<{ readonly port: number }> => {
  const add = openRows(path);
  const streams = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
      streams.add(response);
      response.on("close", () => streams.delete(response));
      return;
    }
    const row = await text(request);
    add(row);
    for (const stream of streams) stream.write(`data: ${row}\n\n`);
    response.end();
  });
  return { port: await listenOnLoopback(server) };
});
