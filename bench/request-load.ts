/** A load generator for requests that are not all the same, in a process of its own. */
import type { Slice } from "./measure.ts";
import { handleOrders } from "./processes.ts";
import { sendRequests } from "./send-requests.ts";

export interface RequestOrder {
  readonly port: number;
  readonly connections: number;
  /** The requests as they are written to the socket, all of them `times` over. */
  readonly requests: readonly string[];
  readonly times: number;
}

handleOrders(send);

function send({ port, connections, requests, times }: RequestOrder): Promise<Slice> {
  const each = requests.map((request) => Buffer.from(request));
  return sendRequests(port, connections, new Array(times).fill(each).flat());
}
