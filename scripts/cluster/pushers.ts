/** Devices that push without an end, and note what was acknowledged. */
import { setTimeout as sleep } from "node:timers/promises";
import { createSeededRandom } from "../../test/fixtures/seeded-random.ts";
import { createDevice, type Device } from "../../test/sync/faults/device.ts";
import { createOperationMaker } from "../../test/sync/faults/make-operations.ts";
import { pushRaw } from "../../test/sync/faults/outage.ts";
import type { Ask } from "../../test/sync/sync-client.ts";

export interface Pushers {
  /** Operations that were acknowledged so far. */
  acknowledged(): number;
  /** Resolves when each device has had a push acknowledged that began after the call. */
  allPushed(): Promise<void>;
  /** Resolves when what is pending was acknowledged. */
  end(): Promise<void>;
  /** The responses that were not 200, by status and code. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface Pusher {
  readonly instance: string;
  readonly ask: Ask;
  readonly device: Device;
}

const PUSH_SIZE = 20;
const PAUSE_MS = 100;

export async function createPusher(instance: string, ask: Ask, name: string): Promise<Pusher> {
  return { instance, ask, device: await createDevice(ask, name) };
}

export function startPushing(pushers: readonly Pusher[]): Pushers {
  const over = new AbortController();
  const rounds = pushers.map(() => 0);
  const refusals = new Map<string, number>();

  async function tryToPush({ ask, device }: Pusher, texts: readonly string[]): Promise<boolean> {
    const response = await pushRaw(device, ask, texts).catch((error: unknown) => error as Error);
    if (response instanceof Error) return note(response.message);
    const body = await response.text();
    if (response.status !== 200) return note(`${response.status} ${body.slice(0, 200)}`);
    device.record(texts, body);
    return true;
  }

  function note(refusal: string): false {
    const key = refusal.replace(/"requestId":"[^"]*"/, "").slice(0, 120);
    refusals.set(key, (refusals.get(key) ?? 0) + 1);
    return false;
  }

  async function push(pusher: Pusher, index: number): Promise<void> {
    const make = createOperationMaker(pusher.device.deviceId, createSeededRandom(index));
    while (!over.signal.aborted) {
      const texts = make(PUSH_SIZE);
      // The same operations until they are acknowledged: a response may have been lost.
      while (!(await tryToPush(pusher, texts))) await sleep(PAUSE_MS);
      rounds[index] = (rounds[index] ?? 0) + 1;
      await sleep(PAUSE_MS);
    }
  }

  const pushing = Promise.all(pushers.map(push));
  return {
    refusals,
    acknowledged: () => pushers.reduce((sum, { device }) => sum + device.acknowledged.size, 0),
    async allPushed() {
      // One may be in progress that began before.
      const wanted = rounds.map((done) => done + 2);
      while (!rounds.every((done, index) => done >= (wanted[index] ?? 0)))
        await sleep(PAUSE_MS / 4);
    },
    async end() {
      over.abort();
      await pushing;
    },
  };
}
