/** Commands of a host say in a sentence that its database is away. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../fixtures/free-port.ts";
import { runInside } from "../../fixtures/run-inside.ts";

test("a command that cannot read the list of instances names the doctor, without a stack", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-away-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const store = `postgres://trellis:secret@127.0.0.1:${await freePort()}/trellis`;
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify({ sync: { store } }));
  for (const words of [
    ["instance", "list"],
    ["instance", "add", "ada", "--base-url", "https://ada.example.com"],
    ["instance", "suspend", "ada"],
    ["devices", "list", "--instance", "ada"],
  ]) {
    const { code, stderr } = await runInside(folder, ["sync", ...words]);
    assert.equal(code, 1, words.join(" "));
    assert.match(
      stderr,
      /^The store is not available: .*`trellis doctor` shows which store it is\n$/,
    );
  }
});
