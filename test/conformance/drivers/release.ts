/** Runs the update client for the conformance kit: a task on standard input, its result on standard output. */
import { createHash } from "node:crypto";
import type { UpdateTask } from "../../../conformance/index.ts";
import { createUpdateClient, type Fetch } from "../../../src/client/index.ts";
import { connectTo } from "./connect.ts";
import { printResult } from "./print-result.ts";

export async function runUpdate(
  { package: kind, ...task }: UpdateTask,
  fetch: Fetch = globalThis.fetch,
): Promise<object> {
  let state = task.state as string | null;
  const client = createUpdateClient({
    ...task,
    ...(kind !== null && { package: kind }),
    storage: { load: () => state, save: (text) => void (state = text) },
    fetch: connectTo(task.connectTo, fetch),
  });
  const check = await client.check();
  if (check.kind !== "update-available") return { kind: check.kind, state };
  const { release, artifact, mandatory } = check;
  const hash = createHash("sha256");
  const sink = {
    write: (chunk: Uint8Array) => hash.update(chunk),
    close: () => {},
    abort: () => {},
  };
  const download = await client.download(artifact, { sink });
  const accepted = download.kind === "complete" ? hash.digest("hex") : null;
  const { version } = release;
  const { fileName } = artifact;
  return { kind: check.kind, version, fileName, mandatory, accepted, state };
}

if (import.meta.main) void printResult(runUpdate);
