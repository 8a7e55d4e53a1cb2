import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkConfiguration } from "../configuration.ts";
import { ConfigurationError } from "../configuration-error.ts";
import { changeRegistry } from "./instance-registry.ts";
import { loadInstances } from "./load-instances.ts";

const instances = { ada: { baseUrl: "http://localhost:4811" } };
const backup = { every: "day" };

function refuses(error: unknown): boolean {
  assert.ok(error instanceof ConfigurationError);
  assert.match(
    error.errors.join(),
    /^sync\.backup is for a server without instances: .*trellis sync backup FILE --instance NAME/,
  );
  return true;
}

test("a schedule of backups is refused beside the instances of a configuration", () => {
  assert.throws(() => checkConfiguration({ sync: { instances, backup } }, "of the test"), refuses);
});

test("a schedule of backups is refused beside the instances of the registry", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-instances-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const { sync } = checkConfiguration({ dataDir, sync: {} }, "of the test");
  assert.ok(sync !== undefined);
  await changeRegistry(dataDir, sync, () => instances);
  const { sync: scheduled } = checkConfiguration({ dataDir, sync: { backup } }, "of the test");
  assert.ok(scheduled !== undefined);
  await assert.rejects(loadInstances(scheduled, { dataDir, file: null }), refuses);
});
