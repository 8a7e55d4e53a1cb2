/** It mostly waits, and so takes little time beside tests that compute. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const SOAK = join(import.meta.dirname, "soak.ts");

test("half a minute of failures and hostile clients loses nothing that was acknowledged", async (t) => {
  const words = [SOAK, "--minutes", "0.5", "--seed", "1"];
  const { signal } = t;
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], signal });
  const ended = once(child, "close") as Promise<[number | null]>;
  const report = await text(child.stdout);
  const [code] = await ended;
  assert.equal(code, 0, report);
});
