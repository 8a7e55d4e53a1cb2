import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { createLogOutput } from "./log-output.ts";

const LINE = `${"x".repeat(1023)}\n`;
const MAX_PENDING = 1024 * 1024;

/** Standard output survives an error, so this stream does, too. */
function createStream() {
  const waiting: (() => void)[] = [];
  const state = { taken: "", isStalled: false, fails: false };
  const stream = new Writable({
    autoDestroy: false,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const take = () => {
        if (state.fails) return done(new Error("EPIPE"));
        state.taken += chunk;
        done();
      };
      if (state.isStalled) waiting.push(take);
      else take();
    },
  });
  // Node calls back like this for standard output.
  const write: Writable["write"] = (chunk: unknown, done?: unknown) => {
    if (!state.fails) return stream.write(chunk, done as () => void);
    queueMicrotask(() => (done as (error: Error) => void)(new Error("EPIPE")));
    return true;
  };
  const output = createLogOutput(
    {
      write,
      get writableLength() {
        return stream.writableLength;
      },
    },
    () => 0,
  );
  return {
    state,
    output,
    pendingBytes: () => stream.writableLength,
    resume() {
      state.isStalled = false;
      while (waiting.length > 0) waiting.shift()?.();
    },
    gaps: () =>
      [...state.taken.matchAll(/^\{"event":"log_lines_dropped".*"count":(\d+)\}$/gm)].map(
        ([, count]) => Number(count),
      ),
  };
}

test("lines that are not read are dropped and counted, and take no more memory", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { state, output, pendingBytes, resume, gaps } = createStream();
  state.isStalled = true;
  for (let round = 0; round < 3000; round++) output.write(LINE, 1);
  assert.ok(pendingBytes() <= MAX_PENDING + LINE.length, String(pendingBytes()));
  t.mock.timers.tick(1000);
  for (let round = 0; round < 3000; round++) output.write(LINE, 1);
  assert.ok(pendingBytes() <= MAX_PENDING + LINE.length);
  resume();
  t.mock.timers.tick(1000);
  output.write("after\n", 1);
  const kept = state.taken.split(LINE).length - 1;
  assert.deepEqual(gaps(), [6000 - kept]);
  assert.ok(state.taken.endsWith("}\nafter\n"));
});

test("lines that cannot be written are counted, and the count is told when writing works again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { state, output, gaps } = createStream();
  output.write("before\n", 1);
  state.fails = true;
  output.write("lost\nlost\n", 2);
  await Promise.resolve();
  output.write("lost\n", 1);
  for (let second = 0; second < 3; second++) {
    t.mock.timers.tick(1000);
    await Promise.resolve();
  }
  assert.deepEqual(gaps(), []);
  state.fails = false;
  t.mock.timers.tick(1000);
  await Promise.resolve();
  assert.deepEqual(gaps(), [3]);
  output.write("after\n", 1);
  t.mock.timers.tick(5000);
  assert.match(state.taken, /^before\n\n\{.*\}\nafter\n$/);
});

test("the end waits for a reader, but not for long", async () => {
  const { state, output, resume } = createStream();
  await output.finish();
  state.isStalled = true;
  output.write("stopped\n", 1);
  const slow = output.finish();
  resume();
  await slow;
  assert.equal(state.taken, "stopped\n");
  state.isStalled = true;
  output.write("unread\n", 1);
  const startedAt = performance.now();
  await output.finish();
  assert.ok(performance.now() - startedAt < 5000);
});
