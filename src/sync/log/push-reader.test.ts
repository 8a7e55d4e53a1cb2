import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createOperation } from "../../../test/fixtures/sync-operation.ts";
import { createPushReader } from "./push-reader.ts";
import { readPush } from "./read-push.ts";

const RULES = { maxOperations: 100, profile: "habits" } as const;

async function startReader(context: TestContext) {
  const reader = createPushReader(RULES, true);
  context.after(() => reader.close());
  await reader.start();
  return reader;
}

/** A push of that many operations, with UTF-8 characters of every length. */
function bodyOf(count: number, first = 1): Buffer {
  const operations = Array.from({ length: count }, (_, index) =>
    createOperation({ sequence: first + index, metadata: { note: `ä 漢 🌱 \0 \n ${index}` } }),
  );
  return Buffer.from(JSON.stringify({ operations }, null, first % 2));
}

test("the thread reads what the calling thread would, and each push gets its own result", async (context) => {
  const reader = await startReader(context);
  assert.equal(countThreads(), 1);
  const bodies = [
    bodyOf(1),
    bodyOf(100, 2),
    Buffer.from('{"operations":[]}'),
    bodyOf(101),
    Buffer.from("{"),
    Buffer.from([0xc3]),
    Buffer.from('{"operations":[{"kind":"rename"}]}'),
    bodyOf(7, 3),
  ];
  const results = bodies.map((body) => reader.read(body));
  assert.ok(
    results.every((result) => result instanceof Promise),
    "the thread reads them",
  );
  assert.deepEqual(
    await Promise.all(results),
    bodies.map((body) => readPush(body, RULES)),
  );
});

test("of a part of a buffer, only that part is sent, and the buffer stays usable", async (context) => {
  const reader = await startReader(context);
  const body = bodyOf(2);
  const around = Buffer.concat([Buffer.from("xxx"), body, Buffer.from("yyy")]);
  const part = around.subarray(3, 3 + body.length);
  assert.deepEqual(await reader.read(part), readPush(body, RULES));
  assert.equal(around.toString(), `xxx${body.toString()}yyy`);
});

test("a body that cannot be sent is read in the calling thread, and no push gets the result of another", async (context) => {
  const reader = await startReader(context);
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.deepEqual(await reader.read(gone), { kind: "invalid-json" });
  const bodies = [bodyOf(1, 11), bodyOf(1, 12), Buffer.from("{")];
  const results = await Promise.all(bodies.map(async (body) => reader.read(body)));
  assert.deepEqual(
    results,
    bodies.map((body) => readPush(body, RULES)),
  );
});

test("pushes are read before the thread is ready, while it ends and after it has ended", async () => {
  const reader = createPushReader(RULES, true);
  const expected = readPush(bodyOf(3), RULES);
  assert.deepEqual(await reader.read(bodyOf(3)), expected);
  const starting = reader.start();
  assert.deepEqual(await reader.read(bodyOf(3)), expected);
  await starting;
  const pending = Array.from({ length: 50 }, async () => reader.read(bodyOf(3)));
  await reader.close();
  for (const result of await Promise.all(pending)) assert.deepEqual(result, expected);
  assert.deepEqual(await reader.read(bodyOf(3)), expected);
});

test("where threads are forbidden, pushes are read without one", () => {
  const script = `
    import { createPushReader } from ${JSON.stringify(new URL("push-reader.ts", import.meta.url))};
    const reader = createPushReader({ maxOperations: 100, profile: "habits" }, true);
    await reader.start();
    console.log((await reader.read(Buffer.from("{"))).kind);
    await reader.close();`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--permission", "--allow-fs-read=*", "--input-type=module", "--eval", script],
    { encoding: "utf8", env: {} },
  );
  assert.equal(stdout, "invalid-json\n", stderr);
});

test("one of several processes has no thread", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-processes-"));
  const program = join(folder, "program.mjs");
  await writeFile(
    program,
    `import cluster from "node:cluster";
    import { createPushReader } from ${JSON.stringify(new URL("push-reader.ts", import.meta.url))};
    const reader = createPushReader(${JSON.stringify(RULES)});
    // A thread without work keeps no process alive.
    setInterval(() => {}, 1000);
    await reader.start();
    const { workers } = process.report.getReport();
    console.log(cluster.isPrimary, workers.length);
    await reader.close();
    if (cluster.isPrimary) cluster.fork().on("exit", () => process.exit());
    else process.exit();`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8", env: {} });
  await rm(folder, { recursive: true });
  assert.equal(stdout, `true ${availableParallelism() > 1 ? 1 : 0}\nfalse 0\n`, stderr);
});

test("a closed reader starts no thread", async () => {
  const reader = createPushReader(RULES, true);
  await reader.close();
  await reader.start();
  assert.equal(countThreads(), 0);
  assert.equal((await reader.read(bodyOf(1))).kind, "operations");
});

test("on a single core there is no thread", async () => {
  const reader = createPushReader(RULES, false);
  await reader.start();
  assert.equal((await reader.read(bodyOf(1))).kind, "operations");
  assert.equal(countThreads(), 0);
  await reader.close();
});

function countThreads(): number {
  return (process.report.getReport() as { readonly workers: readonly unknown[] }).workers.length;
}
