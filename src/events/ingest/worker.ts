import { parentPort, workerData } from "node:worker_threads";
import type { IngestWorkerMessage, WorkerTask } from "./parse-feed.ts";
import { parseSource } from "./parse-source.ts";

const { file, settings } = workerData as WorkerTask;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
const post = (message: IngestWorkerMessage) => parentPort?.postMessage(message);
post({ kind: "ready" });
const result = parseSource(file, settings, (entriesRead) =>
  post({ kind: "progress", entriesRead }),
);
post({ kind: "result", result });
