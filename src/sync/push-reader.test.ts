import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { createOperation } from "../../test/fixtures/sync-operation.ts";
import { histories } from "../../test/fixtures/sync-history.ts";
import { toNewOperation } from "../rules/sync/new-operation.ts";
import { packOperations, unpackOperations } from "./pack-operations.ts";
import { createPushReader } from "./push-reader.ts";
import { readPush, type PushReadResult } from "./read-push.ts";

const RULES = { maxOperations: 100, profile: "habits" } as const;

async function startReader(context: TestContext) {
  const reader = createPushReader(RULES, true);
  context.after(() => reader.close());
  await reader.start();
  return reader;
}

/** With the operations themselves, to be compared. */
function unfold(reading: PushReadResult): unknown {
  return reading.kind === "operations" ? reading.operations() : reading;
}

/** A push of that many operations, in which characters of every length are. */
function bodyOf(count: number, first = 1): Buffer {
  const operations = Array.from({ length: count }, (_, index) =>
    createOperation({ sequence: first + index, metadata: { note: `ä 漢 🌱 \0 \n ${index}` } }),
  );
  return Buffer.from(JSON.stringify({ operations }, null, first % 2));
}

test("operations are the same after they went from thread to thread", () => {
  fc.assert(
    fc.property(histories, (history) => {
      const operations = history.map(toNewOperation);
      if (operations.length === 0) return;
      assert.deepEqual(unpackOperations(packOperations(operations)), operations);
    }),
  );
});

test("the thread reads what would be read without it, and answers in order", async (context) => {
  const reader = await startReader(context);
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
  const readings = bodies.map((body) => reader.read(body));
  assert.ok(
    readings.every((reading) => reading instanceof Promise),
    "the thread reads them",
  );
  assert.deepEqual(
    (await Promise.all(readings)).map(unfold),
    bodies.map((body) => unfold(readPush(body, RULES))),
  );
});

test("a body that is part of something longer goes alone, and stays where it is", async (context) => {
  const reader = await startReader(context);
  const body = bodyOf(2);
  const around = Buffer.concat([Buffer.from("xxx"), body, Buffer.from("yyy")]);
  const part = around.subarray(3, 3 + body.length);
  assert.deepEqual(unfold(await reader.read(part)), unfold(readPush(body, RULES)));
  assert.equal(around.toString(), `xxx${body.toString()}yyy`);
});

test("what cannot be sent is read all the same, and nobody gets the answer of another", async (context) => {
  const reader = await startReader(context);
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.deepEqual(await reader.read(gone), { kind: "invalid-json" });
  const bodies = [bodyOf(1, 11), bodyOf(1, 12), Buffer.from("{")];
  const readings = await Promise.all(bodies.map(async (body) => reader.read(body)));
  assert.deepEqual(
    readings.map(unfold),
    bodies.map((body) => unfold(readPush(body, RULES))),
  );
});

test("before the thread is there, and after it has ended, everything is read all the same", async () => {
  const reader = createPushReader(RULES, true);
  const expected = unfold(readPush(bodyOf(3), RULES));
  assert.deepEqual(unfold(await reader.read(bodyOf(3))), expected);
  const starting = reader.start();
  assert.deepEqual(unfold(await reader.read(bodyOf(3))), expected);
  await starting;
  const pending = Array.from({ length: 50 }, async () => reader.read(bodyOf(3)));
  await reader.close();
  for (const reading of await Promise.all(pending)) assert.deepEqual(unfold(reading), expected);
  assert.deepEqual(unfold(await reader.read(bodyOf(3))), expected);
});

test("where threads are forbidden, everything is read without one", () => {
  const script = `
    import { createPushReader } from ${JSON.stringify(new URL("push-reader.ts", import.meta.url))};
    const reader = createPushReader({ maxOperations: 100, profile: "habits" }, true);
    await reader.start();
    console.log(reader.read(Buffer.from("{")).kind);
    await reader.close();`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--permission", "--allow-fs-read=*", "--input-type=module", "--eval", script],
    { encoding: "utf8", env: {} },
  );
  assert.equal(stdout, "invalid-json\n", stderr);
});

test("after its end no thread is started", async () => {
  const reader = createPushReader(RULES, true);
  await reader.close();
  await reader.start();
  assert.ok(!(reader.read(bodyOf(1)) instanceof Promise));
});

test("where there is one core, there is no thread", async () => {
  const reader = createPushReader(RULES, false);
  await reader.start();
  assert.equal((await reader.read(bodyOf(1))).kind, "operations");
  assert.ok(!(reader.read(bodyOf(1)) instanceof Promise));
  await reader.close();
});
