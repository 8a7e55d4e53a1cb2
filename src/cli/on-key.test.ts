import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import { onKey } from "./on-key.ts";

/** What `onKey` uses of a terminal. */
function createTerminal() {
  const calls: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    setRawMode: (isRaw: boolean) => calls.push(isRaw ? "raw" : "cooked"),
    pause: () => calls.push("pause"),
  });
  const type = (text: string) => stdin.emit("data", Buffer.from(text));
  return { stdin: stdin as unknown as NodeJS.ReadStream, type, calls };
}

test("the key calls back, other keys do not, and the terminal is as before in the end", () => {
  const { stdin, type, calls } = createTerminal();
  let count = 0;
  const stop = onKey(stdin, "v", () => count++);
  for (const text of ["v", "V", "x", "\r", "vv"]) type(text);
  assert.equal(count, 2);
  stop();
  type("v");
  assert.equal(count, 2);
  assert.deepEqual(calls, ["raw", "cooked", "pause"]);
});

test("Ctrl+C is a signal, as without raw mode", async () => {
  const { stdin, type } = createTerminal();
  const stop = onKey(stdin, "v", () => {});
  const signal = once(process, "SIGINT");
  type("\x03");
  await signal;
  stop();
});
