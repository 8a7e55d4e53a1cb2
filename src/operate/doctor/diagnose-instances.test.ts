import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkConfiguration } from "../../configuration/configuration.ts";
import { toHostConfiguration } from "../../configuration/instance.ts";
import { diagnoseInstances, listInstanceAddresses } from "./diagnose-instances.ts";

const instances = {
  ada: { baseUrl: "https://ada.example" },
  bob: { baseUrl: "https://b.example" },
};
const { sync } = checkConfiguration({ sync: {} }, "of the test");
assert.ok(sync !== undefined);

test("instances that need attention are not called well", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "trellis-doctor-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const { resolve } = toHostConfiguration(sync, dataDir);
  const [summary] = await diagnoseInstances(instances, resolve, Date.now());
  assert.equal(summary?.level, "warning");
  assert.equal(summary.message, "2 of 2 instances need attention");
  const [none] = await diagnoseInstances({}, resolve, Date.now());
  assert.equal(none?.level, "ok");
});

test("an address is corrected where the instances are listed", () => {
  const { resolve } = toHostConfiguration(sync, "data");
  const correctionOf = (source: "registry" | "configuration") =>
    listInstanceAddresses({ source, instances }, resolve, 4811)[0]?.correction;
  assert.equal(correctionOf("registry"), "run `trellis sync instance change ada --base-url URL`");
  assert.equal(correctionOf("configuration"), "correct sync.instances.ada.baseUrl");
});
