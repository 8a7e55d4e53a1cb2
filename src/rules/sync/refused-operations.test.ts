import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createOperation, HABIT_PAYLOAD } from "../../../test/fixtures/sync-operation.ts";
import {
  MAX_REFUSED,
  listRefusedCodes,
  type InvalidOperationCode,
} from "../../contract/sync/refused-operations.ts";
import { scanOperation } from "./operation-text.ts";
import { parseRefused, refusedToHeader } from "./refused-operations.ts";
import { validateOperation } from "./validate-operation.ts";

const OPERATION = createOperation();
const { revision, document } = OPERATION;
const setting = (payload: Record<string, unknown>) =>
  createOperation({ entityId: "setting/theme", payload });
const payload = (change: Record<string, unknown>) =>
  createOperation({ payload: { ...HABIT_PAYLOAD, ...change } });
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** The log refuses these, and the profile `sealed` has its own test. */
type OtherCode = "sequence_jump" | "key_unknown" | "not_sealed";

/** An operation that is refused for each reason of its own, as a value or as its text. */
const REFUSED: Readonly<Record<Exclude<InvalidOperationCode, OtherCode>, unknown>> = {
  too_large: setting({ value: "ü".repeat(32_768), other: "ü".repeat(2000) }),
  nested_too_deeply: setting({ value: nested(20) }),
  string_too_long: setting({ value: "x".repeat(32_769) }),
  member_repeated: JSON.stringify(OPERATION).replace("{", '{"kind":"create",'),
  secret_name: setting({ value: { password: 1 } }),
  operation_shape: { ...OPERATION, operationId: 7 },
  protocol_version: { ...OPERATION, protocolVersion: 2 },
  kind_unknown: { ...OPERATION, kind: "rename" },
  document_shape: { ...OPERATION, document: { ...document, deleted: "no" } },
  schema_version: { ...OPERATION, document: { ...document, schemaVersion: 2 } },
  revision_device: { ...OPERATION, revision: { ...revision, deviceId: "a b" } },
  revision_sequence: { ...OPERATION, revision: { ...revision, sequence: 0 } },
  operation_id: { ...OPERATION, operationId: "operation/other/1" },
  entity_id: createOperation({ entityId: "planet/1" }),
  deleted_mismatch: { ...OPERATION, document: { ...document, deleted: true } },
  tombstone_payload: { ...OPERATION, kind: "delete", document: { ...document, deleted: true } },
  payload_missing: { ...OPERATION, document: { ...document, payload: undefined } },
  too_many_fields: payload(Object.fromEntries(Array.from({ length: 256 }, (_, n) => [`f${n}`, n]))),
  changed_unknown: { ...OPERATION, changedFields: ["nothing"] },
  changed_repeated: { ...OPERATION, kind: "patch", changedFields: ["name", "name"] },
  changed_incomplete: { ...OPERATION, changedFields: ["name"] },
  changed_none: { ...OPERATION, kind: "patch", changedFields: [] },
  payload_identity: payload({ id: "another" }),
  payload_field_type: payload({ name: 7 }),
  setting_members: setting({ value: 1, other: 2 }),
  setting_too_large: setting({ value: "x".repeat(5000) }),
};

for (const [code, operation] of Object.entries(REFUSED)) {
  test(`an operation is refused with the code ${code}`, () => {
    const text = typeof operation === "string" ? operation : JSON.stringify(operation);
    const result = validateOperation(scanOperation(text), "habits");
    assert.ok(result.kind === "invalid");
    assert.equal(result.code, code);
  });
}

test("the header has index and code of at most a hundred operations, and can be read again", () => {
  const some = [
    { index: 3, code: "payload_field_type" },
    { index: 7, code: "id_reused" },
  ] as const;
  assert.equal(refusedToHeader(some), "3=payload_field_type, 7=id_reused");
  assert.deepEqual(parseRefused("3=payload_field_type, 7=id_reused"), some);
  const many = Array.from({ length: 120 }, (_, index) => ({ index, code: "id_reused" }) as const);
  assert.deepEqual(parseRefused(refusedToHeader(many)), many.slice(0, MAX_REFUSED));
});

test("a header that is absent or malformed tells nothing, and an unknown code is kept", () => {
  for (const header of [null, "", "3", "3=", "=x", "3=A", "03=x", "-1=x", "1=x;2=y", "1=x, ,2=y"]) {
    assert.equal(parseRefused(header), null, String(header));
  }
  assert.deepEqual(parseRefused("0=from_a_later_version"), [
    { index: 0, code: "from_a_later_version" },
  ]);
});

test("a hundred refusals fit into the headers that a proxy takes", () => {
  const longest = Math.max(...listRefusedCodes().map(({ length }) => length));
  assert.ok(longest <= 20, String(longest));
  const code = listRefusedCodes().find(({ length }) => length === longest) ?? "id_reused";
  const refusals = Array.from({ length: 100 }, (_, index) => ({ index, code }));
  assert.ok(refusedToHeader(refusals).length <= 2500);
});

test("the protocol page lists exactly the codes of the contract", async () => {
  const page = await readFile(new URL("../../../docs/protocol/sync.md", import.meta.url), "utf8");
  const section = /### Refused operations\n(.*?)\n##/s.exec(page)?.[1] ?? "";
  const listed = [...section.matchAll(/^\| `([a-z_]+)`/gm)].map(([, code = ""]) => code);
  assert.deepEqual(listed, listRefusedCodes());
});
