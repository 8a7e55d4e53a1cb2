/** The thread in which pushes are read, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { packOperations } from "./pack-operations.ts";
import type { ReadOrder, ThreadMessage } from "./push-reader.ts";
import { readPush, type PushRules } from "./read-push.ts";

const rules = workerData as PushRules;
const say = (message: ThreadMessage, transferred: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transferred);

parentPort?.on("message", ({ id, bytes }: ReadOrder) => {
  const reading = readPush(bytes, rules);
  if (reading.kind !== "operations") {
    say({ kind: "fault", id, fault: reading });
    return;
  }
  const operations = packOperations(reading.operations());
  say({ kind: "packed", id, operations }, [operations.buffer]);
});
// What cannot be read cannot be answered: whoever waits is told by the end of this thread.
parentPort?.on("messageerror", () => process.exit(1));
say({ kind: "ready" });
