import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitLines } from "./split-lines.ts";

async function* toBytes(chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function readAll(chunks: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(toBytes(chunks))) lines.push(line.toString());
  return lines;
}

test("lines are the same wherever the chunks end", async () => {
  const pieces = fc.array(fc.stringMatching(/^[ab\n]{0,6}$/));
  await fc.assert(
    fc.asyncProperty(pieces, async (chunks) => {
      const lines = chunks.join("").split("\n");
      const isCut = lines.pop() !== "";
      if (isCut) await assert.rejects(readAll(chunks), /last line is cut off/);
      else assert.deepEqual(await readAll(chunks), lines);
    }),
  );
});

test("the bytes of a long line are copied and searched once", async (t) => {
  const chunks = Array.from({ length: 500 }, () => "x".repeat(100));
  const concat = t.mock.method(Buffer, "concat");
  const indexOf = t.mock.method(Buffer.prototype, "indexOf");
  assert.deepEqual(await readAll([...chunks, "\n"]), [chunks.join("")]);
  // The test runner may use buffers, too.
  const countOwn = (buffers: readonly Buffer[]) =>
    buffers.filter(([first]) => first === 0x78).reduce((sum, { length }) => sum + length, 0);
  assert.equal(countOwn(concat.mock.calls.map(({ result }) => result as Buffer)), 50_000);
  const calls = indexOf.mock.calls as { readonly this: unknown }[];
  assert.equal(countOwn(calls.map((call) => call.this as Buffer)), 50_000);
});

test("a line without an end is refused before it fills the memory", async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(1024 * 1024, " ");
  }
  await assert.rejects(splitLines(endless()).next(), /has no end/);
});
