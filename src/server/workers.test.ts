import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

/** One worker that says something else before it is ready. */
const PROGRAM = `
import cluster from "node:cluster";
import { reportReady, startWorkers } from ${JSON.stringify(new URL("workers.ts", import.meta.url).href)};

if (cluster.isPrimary) {
  const listener = { onDeath() {}, onReplaced() {} };
  const { addresses, stop } = await startWorkers(1, listener, new AbortController().signal);
  console.log(JSON.stringify(addresses ?? null));
  await stop();
} else {
  process.on("SIGTERM", () => process.exit());
  process.send({ kind: "metrics-own", id: 1, metrics: [] });
  reportReady({ addresses: { sync: "http://127.0.0.1:4811" }, stores: {} });
}
`;

test("a worker is ready when it says so, whatever it sends before", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-workers-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "program.mjs");
  await writeFile(program, PROGRAM);
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  assert.deepEqual(JSON.parse(stdout), { sync: "http://127.0.0.1:4811" });
});
