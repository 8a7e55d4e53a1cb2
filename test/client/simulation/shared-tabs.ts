/** Web Locks and BroadcastChannel between the processes of one device. */
import type { TabApis, TabChannel } from "../../../src/client/index.ts";
import type { AppProcess } from "./app-process.ts";

export interface SharedTabs {
  /** The APIs as one process has them; what it holds is released when it ends. */
  apisOf(process: AppProcess): TabApis;
}

interface LockRequest {
  readonly name: string;
  readonly process: AppProcess;
  grant(): void;
}

interface OpenChannel {
  readonly name: string;
  readonly process: AppProcess;
  readonly onMessage: (message: unknown) => void;
}

/** `deliver` calls back a moment later. */
export function createSharedTabs(deliver: (run: () => void) => void): SharedTabs {
  const held = new Map<string, LockRequest>();
  let waiting: LockRequest[] = [];
  const channels = new Set<OpenChannel>();

  function release(request: LockRequest): void {
    if (held.get(request.name) !== request) return;
    held.delete(request.name);
    const next = waiting.find(({ name }) => name === request.name);
    if (next !== undefined) hold(next);
  }

  function hold(request: LockRequest): void {
    waiting = waiting.filter((one) => one !== request);
    held.set(request.name, request);
    request.grant();
  }

  function requestLock(
    process: AppProcess,
    name: string,
    signal: AbortSignal | undefined,
    work: () => Promise<void>,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const request: LockRequest = {
      name,
      process,
      grant: () =>
        queueMicrotask(() => {
          if (!process.isAlive()) return release(request);
          void work()
            .then(resolve, reject)
            .finally(() => release(request));
        }),
    };
    signal?.addEventListener("abort", () => {
      if (!waiting.includes(request)) return;
      waiting = waiting.filter((one) => one !== request);
      reject(new Error("Aborted"));
    });
    waiting.push(request);
    if (!held.has(name)) hold(request);
    return process.whileAlive(promise);
  }

  function openChannel(process: AppProcess, name: string, onMessage: OpenChannel["onMessage"]) {
    const channel: OpenChannel = { name, process, onMessage };
    channels.add(channel);
    return {
      post(message) {
        if (!process.isAlive()) return;
        for (const other of channels) {
          if (other === channel || other.name !== name) continue;
          const copy = structuredClone(message);
          deliver(() => void (channels.has(other) && other.onMessage(copy)));
        }
      },
      close: () => void channels.delete(channel),
    } satisfies TabChannel;
  }

  function releaseAll(process: AppProcess): void {
    waiting = waiting.filter((request) => request.process !== process);
    for (const request of held.values()) if (request.process === process) release(request);
    for (const channel of channels) if (channel.process === process) channels.delete(channel);
  }

  return {
    apisOf(process) {
      process.onEnd(() => releaseAll(process));
      return {
        locks: {
          request: (name, { signal }, work) => requestLock(process, name, signal, work),
        },
        createChannel: (name, onMessage) => openChannel(process, name, onMessage),
      };
    },
  };
}
