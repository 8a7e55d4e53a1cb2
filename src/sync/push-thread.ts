/** The thread in which pushes are read, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { packOperations } from "./pack-operations.ts";
import type { ThreadMessage } from "./push-reader.ts";
import { readPush, type PushRules } from "./read-push.ts";

const rules = workerData as PushRules;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
const say = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on("message", (bytes: Uint8Array) => {
  const reading = readPush(bytes, rules);
  say(
    reading.kind === "operations"
      ? { kind: "packed", operations: packOperations(reading.operations) }
      : reading,
  );
});
say({ kind: "ready" });
