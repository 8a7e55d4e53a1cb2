import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";

const WORKERS = JSON.stringify(new URL("workers.ts", import.meta.url).href);

/** One worker that says something else before it is ready. */
const PROGRAM = `
import cluster from "node:cluster";
import { reportReady, startWorkers } from ${WORKERS};

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

/** A worker that dies as soon as it has been ready, and so does the one that replaces it. */
const DYING = `
import cluster from "node:cluster";
import { reportReady, startWorkers } from ${WORKERS};

if (cluster.isPrimary) {
  const pauses = [];
  const second = Promise.withResolvers();
  const onReplaced = ({ missingMs }) => pauses.push(missingMs) === 2 && second.resolve();
  const listener = { onDeath() {}, onReplaced };
  const { stop } = await startWorkers(1, listener, new AbortController().signal);
  await second.promise;
  await stop();
  console.log(JSON.stringify(pauses));
} else {
  process.on("SIGTERM", () => process.exit());
  reportReady({ addresses: {}, stores: {} });
  if (cluster.worker.id <= 2) setTimeout(() => process.exit(1), 50);
}
`;

async function run(t: TestContext, source: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-workers-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "program.mjs");
  await writeFile(program, source);
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return JSON.parse(stdout);
}

test("a worker is ready when it says so, whatever it sends before", async (t) => {
  assert.deepEqual(await run(t, PROGRAM), { sync: "http://127.0.0.1:4811" });
});

test("a worker that dies again and again is replaced after a longer pause", async (t) => {
  const [first = 0, second = 0] = (await run(t, DYING)) as number[];
  // A timer never ends early; how much later it ends says nothing.
  assert.ok(first >= 999 && second >= 1999, String([first, second]));
});
