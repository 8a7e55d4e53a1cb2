/** Devices of many instances, in a process of their own. Measures the time of each push. */
import { handleOrders } from "../processes.ts";
import { sendRequests } from "../send-requests.ts";
import { createPushRequest } from "../sync/operations.ts";
import { ACCESS_TOKEN, hostOf } from "./make-instances.ts";

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
  /** The time of each push, in milliseconds. */
  readonly latencies: readonly number[];
}

handleOrders(run);

async function run({ port, connections, instances, from }: HostLoadOrder): Promise<HostLoadResult> {
  const requests = instances.map((instance, index) =>
    createPushRequest("bench", from + index, { host: hostOf(instance), token: ACCESS_TOKEN }),
  );
  const latencies: number[] = [];
  const { seconds } = await sendRequests(port, connections, requests, (milliseconds) =>
    latencies.push(milliseconds),
  );
  return { seconds, latencies };
}
