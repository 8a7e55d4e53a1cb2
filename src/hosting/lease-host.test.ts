import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PRODUCT_VERSION } from "../database/product-version.ts";
import { INSTANCES_FOLDER } from "../configuration/instance.ts";
import { leaseHost } from "./lease-host.ts";

for (const version of [PRODUCT_VERSION, "9.9.9"]) {
  test(`a lock file that cannot be opened is named (host-${version}.lock)`, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), "trellis-lease-"));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    // Like a file of root, for every user.
    const lock = join(dataDir, INSTANCES_FOLDER, `host-${version}.lock`);
    await mkdir(lock, { recursive: true });
    await assert.rejects(leaseHost(dataDir), (error: Error) => {
      assert.equal(error.name, "HostLeaseError");
      assert.ok(error.message.startsWith(`The lock file "${lock}" cannot be used: its file`));
      return true;
    });
    await rm(lock, { recursive: true });
    await (await leaseHost(dataDir)).release();
  });
}
