/** The thread in which pushes are read, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { packOperations } from "./pack-operations.ts";
import type { ThreadMessage } from "./push-reader.ts";
import { readPush, type PushRules } from "./read-push.ts";

const rules = workerData as PushRules;
const say = (message: ThreadMessage, transferred: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transferred);

parentPort?.on("message", (bytes: Uint8Array) => {
  const reading = readPush(bytes, rules);
  if (reading.kind !== "operations") {
    say(reading);
    return;
  }
  const operations = packOperations(reading.operations());
  say({ kind: "packed", operations }, [operations.buffer]);
});
say({ kind: "ready" });
