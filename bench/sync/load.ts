/** Devices at the sync service, in a process of their own. */
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { openLoadConnection, sendRequests } from "../send-requests.ts";
import {
  createFieldRequest,
  createFieldRequests,
  createPushRequest,
  pageStart,
} from "./operations.ts";

interface Target {
  readonly port: number;
  readonly token: string;
}

export type SyncLoadOrder = Target &
  (
    | {
        readonly kind: "push";
        readonly device: string;
        readonly from: number;
        readonly count: number;
        readonly connections: number;
      }
    | {
        readonly kind: "get";
        readonly path: string;
        readonly count: number;
        readonly connections: number;
      }
    /** The pages are those of the first operations, as many as `spread`. */
    | {
        readonly kind: "pull";
        readonly limit: number;
        readonly spread: number;
        readonly count: number;
        readonly connections: number;
      }
    | { readonly kind: "sync"; readonly limit: number; readonly length: number }
    | { readonly kind: "snapshot" }
    | { readonly kind: "fill-entity"; readonly device: string; readonly fields: number }
    | {
        readonly kind: "push-field";
        readonly device: string;
        readonly fields: number;
        readonly from: number;
        readonly count: number;
      }
  );

handleOrders(run);

/** Counts requests, operations of a first sync, or bytes of a snapshot. */
function run(order: SyncLoadOrder): Promise<Slice> {
  switch (order.kind) {
    case "push": {
      const { device, from } = order;
      const requests = Array.from({ length: order.count }, (_, index) =>
        createPushRequest(device, from + index, order),
      );
      return sendRequests(order.port, order.connections, requests);
    }
    case "get": {
      const request = getRequest(order, order.path);
      return sendRequests(order.port, order.connections, new Array(order.count).fill(request));
    }
    case "pull":
      return pull(order);
    case "sync":
      return firstSync(order);
    case "snapshot":
      return readSnapshot(order);
    case "fill-entity":
      return sendRequests(order.port, 1, createFieldRequests(order.device, order.fields, order));
    case "push-field": {
      const { device, fields, from } = order;
      const requests = Array.from({ length: order.count }, (_, index) =>
        createFieldRequest(device, fields, from + index, order),
      );
      return sendRequests(order.port, 1, requests);
    }
  }
}

/** The paths of the pages by the port of the server, whose log is the same for as long as it runs. */
const pathsByPort = new Map<number, readonly string[]>();

async function pull(order: Extract<SyncLoadOrder, { kind: "pull" }>): Promise<Slice> {
  const { port, limit, spread, count, connections } = order;
  const paths = pathsByPort.get(port) ?? (await readPages(order, limit, spread)).paths;
  pathsByPort.set(port, paths);
  const requests = Array.from({ length: count }, (_, index) =>
    getRequest(order, paths[pageStart(index, limit, spread) / limit] ?? ""),
  );
  return sendRequests(port, connections, requests);
}

/** A new device. */
async function firstSync(order: Extract<SyncLoadOrder, { kind: "sync" }>): Promise<Slice> {
  const { paths, seconds } = await readPages(order, order.limit, order.length);
  return { count: paths.length * order.limit, seconds };
}

/** Reads all pages from the first on. */
async function readPages(target: Target, limit: number, length: number) {
  const { socket, exchange } = await openLoadConnection(target.port);
  const startedAt = performance.now();
  const paths: string[] = [];
  let path = `/v1/pull?limit=${limit}`;
  while (paths.length * limit < length) {
    paths.push(path);
    const body = await exchange(getRequest(target, path));
    // The operations are a device's work; of the rest only the cursor matters here.
    const tail = body.subarray(-300).toString("latin1");
    path = `/v1/pull?limit=${limit}&cursor=${/"cursor":"([\w-]+)"/.exec(tail)?.[1]}`;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  socket.destroy();
  return { paths, seconds };
}

async function readSnapshot({ port, token }: Target): Promise<Slice> {
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/v1/snapshot`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`The snapshot request got ${response.status}`);
  let count = 0;
  for await (const chunk of response.body ?? []) count += chunk.length;
  return { count, seconds: (performance.now() - startedAt) / 1000 };
}

function getRequest({ token }: Target, path: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
}
