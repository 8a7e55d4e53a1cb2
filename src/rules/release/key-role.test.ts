import assert from "node:assert/strict";
import { test } from "node:test";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { recordRetired, roleOf } from "./key-role.ts";

function catalogOf(signing: CatalogFile["signing"], ring: readonly string[]) {
  const settings: CatalogFile = {
    schemaVersion: 1,
    product: "habits",
    targets: [],
    artifactHosts: [],
    signing,
    manifestLifetimeDays: 30,
  };
  return { settings, keys: Object.fromEntries(ring.map((keyId) => [keyId, "A".repeat(43)])) };
}

function rolesOf(signing: CatalogFile["signing"], ring: readonly string[]): string[] {
  return ring.map((keyId) => roleOf(keyId, catalogOf(signing, ring)));
}

const RING = ["a", "b", "c", "d"];

test("a recorded rotation says which keys were active before", () => {
  const signing = { active: "d", standby: "a", retired: ["c"] };
  assert.deepEqual(rolesOf(signing, RING), ["standby", "unused", "retired", "active"]);
});

test("in a catalogue without a record, keys made before the active key are retired", () => {
  assert.deepEqual(rolesOf({ active: "a", standby: "b" }, RING), [
    "active",
    "standby",
    "unused",
    "unused",
  ]);
  assert.deepEqual(rolesOf({ active: "c", standby: "d", revoked: ["b"] }, RING), [
    "retired",
    "revoked",
    "active",
    "standby",
  ]);
  assert.deepEqual(rolesOf({ active: "not-made-yet" }, ["a"]), ["unused"]);
});

test("a change records the key that was active, and what was known before", () => {
  const before = catalogOf({ active: "b", standby: "c" }, RING);
  const rotated = recordRetired(before, { active: "c", standby: "d" });
  assert.deepEqual(rotated, { active: "c", standby: "d", retired: ["a", "b"] });
  const back = recordRetired(catalogOf(rotated, RING), { ...rotated, active: "d", standby: "a" });
  assert.deepEqual(back, { active: "d", standby: "a", retired: ["b", "c"] });
  const revoked = recordRetired(catalogOf(back, RING), { ...back, revoked: ["b"] });
  assert.deepEqual(revoked.retired, ["c"]);
});
