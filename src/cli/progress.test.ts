import assert from "node:assert/strict";
import { test } from "node:test";
import type { Terminal } from "./command.ts";
import { clearProgress, showCount, showProgress } from "./progress.ts";

function createScreen(isTTY: boolean, isJson = false) {
  const written: string[] = [];
  const stderr = { isTTY, write: (text: string) => written.push(text) };
  return { written, context: { isJson, terminal: { stderr } as unknown as Terminal } };
}

test("a progress bar grows and disappears at 100 %", () => {
  const { written, context } = createScreen(true);
  const show = showProgress(context, "Importing");
  for (const done of [0, 1, 500, 1000]) show?.(done, 1000);
  const screens = written.map((text) => text.replace("\r\u001B[K", ""));
  assert.deepEqual(screens, [
    `Importing ${"░".repeat(30)} 0 %`,
    `Importing ${"█".repeat(15)}${"░".repeat(15)} 50 %`,
    "",
  ]);
});

test("progress of zero steps is complete at once", () => {
  const { written, context } = createScreen(true);
  showProgress(context, "Importing")?.(0, 0);
  assert.deepEqual(written, ["\r\u001B[K"]);
});

test("a count overwrites the previous one", () => {
  const { written, context } = createScreen(true);
  const show = showCount(context, "Reading");
  show?.(250);
  show?.(12_000);
  clearProgress(context);
  assert.deepEqual(written, ["\r\u001B[KReading 250", "\r\u001B[KReading 12,000", "\r\u001B[K"]);
});

test("no progress is shown without a terminal or under --json", () => {
  for (const { context, written } of [createScreen(false), createScreen(true, true)]) {
    assert.equal(showProgress(context, "Importing"), undefined);
    assert.equal(showCount(context, "Reading"), undefined);
    clearProgress(context);
    assert.deepEqual(written, []);
  }
});
