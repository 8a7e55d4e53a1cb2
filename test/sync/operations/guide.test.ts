/** Runs every command of the guide, as written, in an empty folder. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../fixtures/free-port.ts";
import { runGuide } from "../../fixtures/run-guide.ts";

const hasCurl = spawnSync("curl", ["--version"]).error === undefined;

test(
  "the commands of the guide set up a server, back it up and restore it",
  { skip: !hasCurl && "needs curl" },
  async (t) => {
    const port = await freePort();
    const { folder, code, stdout, stderr, blocks, begun } = await runGuide(
      t,
      "run-your-own-sync.md",
      (script) => script.replaceAll("localhost:4811", `localhost:${port}`),
      { TRELLIS_SYNC_LISTEN_PORT: String(port) },
    );
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    assert.ok(blocks > 8);
    assert.equal(begun, blocks);
    assert.match(stdout, /Created the account "ada"/);
    assert.match(stdout, /\{"status":"ok","version":1\}/);
    assert.match(stdout, /sync-\d{4}-\d\d-\d\d\.backup is complete and authentic/);
    assert.match(stdout, /Key +included, encrypted with your passphrase/);
    assert.match(stdout, /"event":"stopped"/);
    assert.match(stdout, /Replaced 0 entities with 0 from/);
    assert.match(stdout, /"ada" has a new password; 0 devices must sign in again/);
    assert.match(stdout, /No tombstone is that old/);
    assert.match(stderr, /No device "the-lost-phone" is signed in/);
    assert.ok(existsSync(join(folder, "backups/everything.json")));
  },
);
