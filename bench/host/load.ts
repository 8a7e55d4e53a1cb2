/** Devices of many instances, in a process of their own. Measures the time of each push. */
import { setTimeout as sleep } from "node:timers/promises";
import { handleOrders } from "../processes.ts";
import { openLoadConnection, sendAddressed } from "../send-requests.ts";
import { createPushRequest } from "../sync/operations.ts";

/** The device of an instance: the host that it asks for, and its token. */
export interface HostDevice {
  readonly host: string;
  readonly token: string;
}

/** The pushes of an instance go to one of the processes, as a balancer sends them that chooses by the host. */
interface Pushes {
  readonly ports: readonly number[];
  readonly connections: number;
  /** The instance of each push. */
  readonly instances: readonly number[];
  /** The number of the first push; no two pushes of a run have the same. */
  readonly from: number;
}

export type HostLoadOrder =
  /** The devices, by the numbers of their instances. */
  | { readonly kind: "devices"; readonly devices: readonly HostDevice[] }
  | ({ readonly kind: "push" } & Pushes)
  /** Each push is sent again until it is acknowledged; its time is that since the order. */
  | ({ readonly kind: "insist" } & Pushes);

export interface HostLoadResult {
  readonly seconds: number;
  /** The time of each push, in milliseconds. */
  readonly latencies: readonly number[];
}

const PAUSE_MS = 20;
/** What a service says while no process serves the instance: the same push may be sent again. */
const MAY_PASS: ReadonlySet<number> = new Set([429, 503]);
let devices: readonly HostDevice[] = [];

handleOrders(async (order: HostLoadOrder): Promise<HostLoadResult> => {
  if (order.kind === "devices") {
    ({ devices } = order);
    return { seconds: 0, latencies: [] };
  }
  return order.kind === "push" ? push(order) : insist(order);
});

function toRequests({ ports, instances, from }: Pushes) {
  return instances.map((instance, index) => {
    const device = devices[instance];
    const port = ports[instance % ports.length];
    if (device === undefined || port === undefined) throw new Error("There is no such instance");
    return { port, request: createPushRequest("bench", from + index, device) };
  });
}

async function push(order: Pushes): Promise<HostLoadResult> {
  const latencies: number[] = [];
  const { seconds } = await sendAddressed(order.connections, toRequests(order), (milliseconds) =>
    latencies.push(milliseconds),
  );
  return { seconds, latencies };
}

async function insist(order: Pushes): Promise<HostLoadResult> {
  const requests = toRequests(order);
  const startedAt = performance.now();
  const latencies: number[] = [];
  const sendNext = async () => {
    for (let one = requests.pop(); one !== undefined; one = requests.pop()) {
      const { ask, socket } = await openLoadConnection(one.port);
      for (;;) {
        const { status } = await ask(one.request);
        if (status === 200) break;
        if (!MAY_PASS.has(status)) throw new Error(`A push was refused with ${status}`);
        await sleep(PAUSE_MS);
      }
      latencies.push(performance.now() - startedAt);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: order.connections }, sendNext));
  return { seconds: (performance.now() - startedAt) / 1000, latencies };
}
