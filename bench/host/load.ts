/** Devices of many instances, in a process of their own. Measures the time of each push. */
import { handleOrders } from "../processes.ts";
import { openConnection } from "../send-requests.ts";
import { pushTexts } from "../sync/operations.ts";
import { hostOf, TOKEN } from "./make-instances.ts";

export interface HostLoadOrder {
  readonly port: number;
  readonly connections: number;
  /** The instance of each push. */
  readonly instances: readonly number[];
  /** The number of the first push; no two pushes of a run have the same. */
  readonly from: number;
}

export interface HostLoadResult {
  readonly seconds: number;
  /** Of each push, in milliseconds. */
  readonly latencies: readonly number[];
}

handleOrders(run);

async function run({ port, connections, instances, from }: HostLoadOrder): Promise<HostLoadResult> {
  const requests = instances.map((instance, index) => pushRequest(instance, from + index));
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    pool.map(async ({ exchange }) => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const sentAt = performance.now();
        await exchange(request);
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { socket } of pool) socket.destroy();
  return { seconds, latencies };
}

function pushRequest(instance: number, push: number): Buffer {
  const body = `{"operations":[${pushTexts("bench", push).join(",")}]}`;
  return Buffer.from(
    `POST /v1/push HTTP/1.1\r\nHost: ${hostOf(instance)}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
