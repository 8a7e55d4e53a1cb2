import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { withAtomicWrites } from "./atomic-writes.ts";

function createStream() {
  const taken: string[] = [];
  const waiting: ((error?: Error | null) => void)[] = [];
  const stream = withAtomicWrites(
    {
      write(bytes: Uint8Array, onWritten: (error?: Error | null) => void) {
        taken.push(Buffer.from(bytes).toString());
        waiting.push(onWritten);
        return true;
      },
    } as Parameters<typeof withAtomicWrites>[0],
    10,
  );
  return { taken, stream, finish: (error?: Error) => waiting.shift()?.(error) };
}

test("text leaves in pieces of whole lines, one at a time", () => {
  const { taken, stream, finish } = createStream();
  const written: string[] = [];
  stream.write("1234\n678\n012\na line that is longer\nä\n", () => written.push("first"));
  stream.write("next\n", () => written.push("second"));
  assert.deepEqual(taken, ["1234\n678\n"]);
  for (let turn = 0; turn < 5; turn++) finish();
  assert.deepEqual(taken, ["1234\n678\n", "012\n", "a line that is longer\n", "ä\n", "next\n"]);
  assert.deepEqual(written, ["first", "second"]);
  assert.equal(stream.writableLength, 0);
});

test("what waits is counted, and a piece that fails is told of with the text", () => {
  const { stream, finish } = createStream();
  const errors: unknown[] = [];
  stream.write("1234567\nab\n", (error) => errors.push(error));
  assert.equal(stream.writableLength, 11);
  const failure = new Error("EPIPE");
  finish(failure);
  assert.deepEqual([stream.writableLength, errors], [3, []]);
  finish();
  assert.deepEqual([stream.writableLength, errors], [0, [failure]]);
});

const WRITER = `
  import { withAtomicWrites } from ${JSON.stringify(join(import.meta.dirname, "atomic-writes.ts"))};
  const stream = withAtomicWrites(process.stdout);
  const line = JSON.stringify({ writer: process.argv[1], text: "x".repeat(150) }) + "\\n";
  for (let batch = 0; batch < 100; batch++) stream.write(line.repeat(128), () => {});
`;

/** A reader that is a little late, so that the pipe fills up. */
const READER = `
  import { setTimeout } from "node:timers/promises";
  for await (const chunk of process.stdin) {
    process.stdout.write(chunk);
    await setTimeout(2);
  }
`;

test(
  "processes that share a pipe never mix their lines",
  { skip: process.platform === "win32" ? "it has no such pipes" : false },
  async () => {
    const node = `${JSON.stringify(process.execPath)} --input-type=module -e`;
    const writers = `{ ${node} "$WRITER" one & ${node} "$WRITER" two & wait; }`;
    const child = spawn("sh", ["-c", `${writers} | ${node} "$READER"`], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, WRITER, READER },
    });
    const lines = (await text(child.stdout)).split("\n").slice(0, -1);
    const line = /^\{"writer":"(?:one|two)","text":"x{150}"\}$/;
    assert.deepEqual(
      lines.filter((found) => !line.test(found)),
      [],
    );
    assert.equal(lines.length, 2 * 100 * 128);
  },
);
