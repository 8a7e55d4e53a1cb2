/** The worker thread that reads pushes, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import type { ReadRequest, PushWorkerMessage } from "./push-reader.ts";
import { readPush, type PushRules } from "./read-push.ts";

const rules = workerData as PushRules;
const send = (message: PushWorkerMessage) => parentPort?.postMessage(message, []);

parentPort?.on("message", ({ id, bytes }: ReadRequest) =>
  send({ kind: "result", id, result: readPush(bytes, rules) }),
);
// A request that cannot be deserialized has no id to respond to: the end of the thread fails it.
parentPort?.on("messageerror", () => process.exit(1));
send({ kind: "ready" });
