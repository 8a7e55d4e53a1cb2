/** The thread in which one source is read. */
import { parentPort, workerData } from "node:worker_threads";
import { parseSource } from "./parse-source.ts";
import type { WorkerMessage, WorkerTask } from "./worker-message.ts";

const { file, settings } = workerData as WorkerTask;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
const say = (message: WorkerMessage) => parentPort?.postMessage(message);
say({ kind: "ready" });
const result = parseSource(file, settings, (entriesRead) => say({ kind: "progress", entriesRead }));
say({ kind: "result", result });
