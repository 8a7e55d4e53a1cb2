/** What a change costs while a thousand streams of live changes are open, and what these take. */
import {
  MAX_STREAMS_PER_DEVICE,
  MAX_STREAMS_PER_INSTANCE,
} from "../../src/contract/sync/values.ts";
import { median } from "../measure.ts";
import { cpuSeconds, residentMegabytes, type Worker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { createPushRequest } from "../sync/operations.ts";
import { SQLITE } from "../sync/store-kinds.ts";
import { createFilledStore, startSyncServer } from "../sync/sync-server.ts";
import type { ServeOrder, ServeResult } from "./serve-load-worker.ts";

export interface StreamsReport {
  readonly streams: number;
  readonly openSeconds: number;
  readonly megabytes: { readonly before: number; readonly open: number };
  /** Of a push of 100, in milliseconds: without streams and with all of them. */
  readonly cpu: { readonly without: number; readonly open: number };
  /** From a push until every stream has its event, in milliseconds. */
  readonly seenMs: number;
}

export async function measureStreams(
  { isQuick, defer, use, progress }: Benchmark,
  load: Worker<ServeOrder, ServeResult>,
): Promise<StreamsReport> {
  progress(`Opening ${MAX_STREAMS_PER_INSTANCE} streams`);
  const devices = MAX_STREAMS_PER_INSTANCE / MAX_STREAMS_PER_DEVICE;
  const names = Array.from({ length: devices }, (_, index) => `streaming-${index}`);
  const store = await createFilledStore(SQLITE, 10_000, names);
  defer(store.remove);
  const server = use(await startSyncServer(store));
  const { port, pid } = server;
  const [token = "", ...streaming] = store.tokens;
  let number = 0;
  const push = async () => {
    const request = createPushRequest("pusher", number++, { token }).toString();
    return (await load.ask({ kind: "change", port, request })).seconds * 1000;
  };
  const [warmup, changes] = isQuick ? [50, 20] : [300, 100];
  const pushMany = async (count: number) => {
    const before = cpuSeconds(pid);
    const times: number[] = [];
    while (times.length < count) times.push(await push());
    return { cpu: ((cpuSeconds(pid) - before) / count) * 1000, times };
  };
  await pushMany(warmup);
  const without = await pushMany(changes);
  const before = residentMegabytes(pid).now;
  const requests = streaming.flatMap((one) =>
    new Array(MAX_STREAMS_PER_DEVICE).fill(streamRequest(one)),
  );
  const opened = await load.ask({ kind: "open", port, requests });
  progress(`Measuring changes with ${opened.count} open streams`);
  await pushMany(Math.ceil(warmup / 10));
  const open = await pushMany(changes);
  return {
    streams: opened.count,
    openSeconds: opened.seconds,
    megabytes: { before, open: residentMegabytes(pid).now },
    cpu: { without: without.cpu, open: open.cpu },
    seenMs: median(open.times),
  };
}

function streamRequest(token: string): string {
  return `GET /v1/changes HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`;
}
