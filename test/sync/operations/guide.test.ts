/** Runs every command of the guide, as written, in an empty folder. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../../fixtures/free-port.ts";
import { runGuide } from "../../fixtures/run-guide.ts";

test("the commands of the guide set up a server, back it up and restore it", async (t) => {
  const { folder, output, blocks } = await runGuide(t, {
    page: "guides/run-your-own-sync.md",
    env: { TRELLIS_SYNC_LISTEN_PORT: String(await freePort()) },
  });
  assert.ok(blocks > 8);
  assert.match(output, /Created the account "ada"/);
  assert.match(output, /sync-\d{4}-\d\d-\d\d\.backup is complete and authentic/);
  assert.match(output, /Key +included, encrypted with your passphrase/);
  assert.match(output, /"event":"stopped"/);
  assert.match(output, /Replaced 0 entities with 0 from/);
  assert.match(output, /"ada" has a new password; 0 devices must sign in again/);
  assert.match(output, /No tombstone is that old/);
  assert.match(output, /No device "the-lost-phone" is signed in/);
  assert.ok(existsSync(join(folder, "backups/everything.json")));
});
