/** What the page of the sync protocol says about the profiles is what the rules do. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  ENTITY_TYPE_PATTERN,
  type OperationKind,
  type SyncProfile,
} from "../../src/contract/sync/operation-limits.ts";
import { listRefusedCodes } from "../../src/contract/sync/refused-operations.ts";
import { scanOperation } from "../../src/rules/sync/operation-text.ts";
import { buildOperation } from "../../src/rules/sync/operation.ts";
import { validateOperation } from "../../src/rules/sync/validate-operation.ts";

type Payload = Readonly<Record<string, unknown>>;

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/protocol/sync.md"), "utf8");
const PROFILES = PAGE.slice(PAGE.indexOf("### Profiles"), PAGE.indexOf("### Refused operations"));
const ROW = /^\| `(habit|entry|setting)` +\| `(\w+)` +\| (yes|no)/gm;

function validate(
  entityId: string,
  payload: Payload,
  { profile = "habits", kind = "create" }: { profile?: SyncProfile; kind?: OperationKind } = {},
) {
  const revision = { deviceId: "phone", sequence: 1 };
  const operation = buildOperation({ kind, revision, entityId, payload });
  return validateOperation(scanOperation(JSON.stringify(operation)), profile);
}

function without(payload: Payload, name: string): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name));
}

/** With every field, also those that are not required. */
function readSamples(): Record<string, { readonly entityId: string; readonly payload: Payload }> {
  const [, text = ""] = /^```json\n(.*?)^```/ms.exec(PROFILES) ?? [];
  const date = "2026-01-31";
  return {
    habit: JSON.parse(text) as { entityId: string; payload: Payload },
    entry: {
      entityId: `entry/water/${date}`,
      payload: {
        id: "1",
        habitId: "water",
        date,
        completed: true,
        count: 3,
        timestamp: `${date}T09:00:00Z`,
      },
    },
    setting: { entityId: "setting/theme", payload: { value: "dark" } },
  };
}

test("the page lists every field of the profile habits, and which are required", () => {
  const samples = readSamples();
  const listed = [...PROFILES.matchAll(ROW)];
  for (const [type, { entityId, payload }] of Object.entries(samples)) {
    assert.equal(validate(entityId, payload).kind, "valid", type);
    assert.equal(validate(entityId, payload, { kind: "patch" }).kind, "valid", type);
    const names = listed.filter(([, found]) => found === type).map(([, , name]) => name);
    assert.deepEqual(names.toSorted(), Object.keys(payload).toSorted(), type);
  }
  for (const [, type = "", name = "", required] of listed) {
    const { entityId, payload } = samples[type] ?? assert.fail(type);
    const kind = required === "yes" ? "invalid" : "valid";
    assert.equal(validate(entityId, without(payload, name)).kind, kind, `${type} ${name}`);
  }
});

test("a patch of the profile habits carries the whole payload, one of the profile open what it changes", () => {
  const change = { name: "Drink more water" };
  assert.equal(validate("habit/water", change, { kind: "patch" }).kind, "invalid");
  const open = { profile: "open", kind: "patch" } as const;
  assert.equal(validate("habit/water", change, open).kind, "valid");
});

test("the entity ids that the page names are those of their profile alone", () => {
  assert.ok(PROFILES.includes(`\`${ENTITY_TYPE_PATTERN}\``));
  for (const entityId of ["note/42", "list-item/7/2"]) {
    assert.ok(PROFILES.includes(`\`${entityId}\``));
    assert.equal(validate(entityId, { any: [1] }, { profile: "open" }).kind, "valid");
    assert.equal(validate(entityId, { any: [1] }).kind, "invalid");
  }
  assert.equal(validate("setting/password", { value: 1 }).kind, "invalid");
});

test("the page lists every code of a refused operation", () => {
  const table = PAGE.slice(PAGE.indexOf("### Refused operations"), PAGE.indexOf("### Merge"));
  const listed = [...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code]) => code ?? "");
  assert.deepEqual(listed.toSorted(), listRefusedCodes().toSorted());
});
