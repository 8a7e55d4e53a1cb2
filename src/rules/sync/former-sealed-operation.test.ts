import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import {
  createSealedOperation,
  sealedId,
  sealedName,
  sealedValue,
  type SealedOperationOptions,
} from "../../../test/fixtures/former-sealed-operation.ts";
import {
  KEY_ENTITY_ID,
  MAX_OPERATION_BYTES,
  MAX_SEALED_OPERATION_BYTES,
  SEALED_VALUE_PATTERN,
} from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { decodeBase64Url } from "../base64url.ts";
import { scanOperation } from "./operation-text.ts";
import { validateOperation } from "./validate-operation.ts";

/** The code, or "valid". */
function validate(operation: unknown): string {
  const text = typeof operation === "string" ? operation : JSON.stringify(operation);
  const result = validateOperation(scanOperation(text), "sealed");
  return result.kind === "valid" ? "valid" : result.code;
}

const validateBuilt = (options: SealedOperationOptions) => validate(createSealedOperation(options));
const withValue = (value: unknown) => validateBuilt({ payload: { [sealedName("a")]: value } });
const withName = (name: string) => {
  const value = sealedValue("a");
  return [
    validateBuilt({ payload: { [name]: value } }),
    validateBuilt({ metadata: { [name]: value } }),
  ];
};

test("sealed operations of every kind are valid", () => {
  const value = sealedValue("a");
  for (const kind of ["create", "restore", "patch", "delete"] as const) {
    assert.equal(validateBuilt({ kind }), "valid", kind);
  }
  assert.equal(validateBuilt({ payload: {} }), "valid");
  assert.equal(validateBuilt({ entityId: KEY_ENTITY_ID, metadata: {} }), "valid");
  assert.equal(
    validateBuilt({ kind: "patch", payload: {}, metadata: { [sealedName("by")]: value } }),
    "valid",
  );
});

test("the id of the key entity is the SHA-256 of its name", () => {
  assert.equal(
    KEY_ENTITY_ID,
    `sealed/${hash("sha256", "trellis/sealed/1/key-entity", "base64url")}`,
  );
});

test("an entity id is 32 bytes in their one spelling", () => {
  const id = "A".repeat(43);
  assert.equal(validateBuilt({ entityId: `sealed/${id}` }), "valid");
  for (const entityId of [
    "habit/water",
    "sealed/",
    `sealed/${id}A`,
    `sealed/${id.slice(1)}`,
    `sealed/${id.slice(1)}B`,
    `sealed/${id}=`,
    `sealed/${id.slice(1)}+`,
    `sealed/${id}\n`,
    `Sealed/${id}`,
    `sealed/${id}/${id}`,
    `sealed/%41${id.slice(1)}`,
    `sealed/${"A".repeat(100_000)}`,
  ]) {
    assert.equal(validateBuilt({ entityId }), "not_sealed", entityId.slice(0, 60));
  }
});

test("a field name is 16 bytes in their one spelling", () => {
  assert.deepEqual(withName("A".repeat(22)), ["valid", "valid"]);
  assert.deepEqual(withName("9".repeat(21) + "w"), ["valid", "valid"]);
  for (const name of [
    "title",
    "",
    "constructor",
    "toString",
    "password",
    `${"A".repeat(21)}B`,
    "A".repeat(21),
    "A".repeat(23),
    `${"A".repeat(20)}==`,
    `${"A".repeat(21)}\ud800`,
    "A".repeat(40_000),
  ]) {
    assert.deepEqual(withName(name), ["not_sealed", "not_sealed"], name.slice(0, 60));
  }
  const text = JSON.stringify(createSealedOperation({ kind: "patch" }));
  const prototype = text.replaceAll(`"${sealedName("title")}"`, '"__proto__"');
  assert.equal(validate(prototype), "not_sealed");
});

test("a value is a text of version, key id and base64url of at least nonce and tag", () => {
  const rest = "A".repeat(54);
  for (const value of [`1.AAAAAAAA.${rest}`, `1.-_-_-_-_.${rest}AA`, sealedValue("x", 0)]) {
    assert.equal(withValue(value), "valid", value);
  }
  for (const value of [
    "a clear thought",
    7,
    null,
    true,
    [sealedValue("x")],
    { value: sealedValue("x") },
    `2.AAAAAAAA.${rest}`,
    `1.AAAAAAA.${rest}`,
    `1.${"A".repeat(5000)}.${rest}`,
    `1.AAAA=AAA.${rest}`,
    `1.AAAAAAAA.${rest.slice(1)}`,
    `1.AAAAAAAA.${rest}A.A`,
    `1.AAAAAAAA.${rest}\n`,
    `1.AAAAAAAA.${rest}AA==`,
    `1.AAAAAAAA.${rest.slice(1)}+`,
    `1.AAAAAAAA.${rest.slice(1)}\ud83d`,
  ]) {
    assert.equal(withValue(value), "not_sealed", String(value).slice(0, 80));
  }
});

test("a value in another spelling of JSON or of base64url is not sealed", () => {
  const text = JSON.stringify(createSealedOperation());
  assert.equal(validate(text), "valid");
  assert.equal(validate(text.replaceAll('"1.key', String.raw`"\u0031.key`)), "not_sealed");
  const value = new RegExp(SEALED_VALUE_PATTERN);
  const characters = fc.constantFrom(..."ABQgwEIMUYcko048xyz-_9=+/. ");
  fc.assert(
    fc.property(
      fc.nat(3),
      fc.string({ unit: characters, minLength: 2, maxLength: 8 }),
      (by, end) => {
        const base64url = "A".repeat(52 + by) + end;
        const isCanonical = base64url.length >= 54 && decodeBase64Url(base64url) !== null;
        assert.equal(value.test(`1.AAAAAAAA.${base64url}`), isCanonical, base64url);
      },
    ),
    { numRuns: 3000 },
  );
});

test("fields and changed lists are sorted by name", () => {
  const operation = createSealedOperation({
    metadata: { [sealedName("a")]: sealedValue("a"), [sealedName("b")]: sealedValue("b") },
  });
  const { document, changedFields, changedMetadataFields } = operation;
  const { payload = {}, schemaVersion, entityId, deleted, ...metadata } = document;
  const reverse = (fields: object) => Object.fromEntries(Object.entries(fields).toReversed());
  const fixed = { schemaVersion, entityId, deleted };
  for (const change of [
    { document: { ...fixed, payload: reverse(payload), ...metadata } },
    { document: { ...fixed, payload, ...reverse(metadata) } },
    { changedFields: changedFields.toReversed() },
    { changedMetadataFields: changedMetadataFields.toReversed() },
  ]) {
    assert.equal(validate({ ...operation, ...change }), "not_sealed", Object.keys(change).join());
  }
  assert.equal(validate({ ...operation, document: { ...metadata, ...fixed, payload } }), "valid");
});

test("a patch has exactly the fields that it changes", () => {
  const value = sealedValue("a");
  const [name, other] = [sealedName("a"), sealedName("b")];
  const fields = { [name]: value, [other]: value };
  const patch = { kind: "patch", changedFields: [name] } as const;
  assert.equal(validateBuilt({ ...patch, payload: fields }), "not_sealed");
  assert.equal(validateBuilt({ ...patch, payload: { [name]: value } }), "valid");
  assert.equal(
    validateBuilt({
      ...patch,
      payload: { [name]: value },
      metadata: fields,
      changedMetadataFields: [name],
    }),
    "not_sealed",
  );
});

test("the rules of all profiles hold before: repetitions, tombstones and changed fields", () => {
  const text = JSON.stringify(createSealedOperation());
  const name = sealedName("title");
  const again = `"${name}":"${sealedValue("other")}",`;
  assert.equal(validate(text.replace(`"${name}":`, `${again}"${name}":`)), "member_repeated");
  assert.equal(validate(text.replace("{", '{"kind":"create",')), "member_repeated");
  const tombstone = createSealedOperation({ kind: "delete" });
  const document = { ...tombstone.document, payload: {} };
  assert.equal(validate({ ...tombstone, document }), "tombstone_payload");
  assert.equal(
    validateBuilt({ kind: "patch", changedFields: [sealedName("x")] }),
    "changed_unknown",
  );
});

test("an operation is at most 160 KiB, and one of its strings may be almost as long", () => {
  const sized = (bytes: number) =>
    createSealedOperation({ payload: { [sealedName("a")]: sealedValue("a", bytes) } });
  const sizeOf = (operation: Operation) => JSON.stringify(operation).length;
  let bytes = 120_000;
  while (sizeOf(sized(bytes + 1)) <= MAX_SEALED_OPERATION_BYTES) bytes++;
  assert.equal(validate(sized(bytes)), "valid");
  assert.equal(validate(sized(bytes + 1)), "too_large");
  // What is 64 KiB in the clear: Padmé adds at most 12 %, base64url a third.
  assert.ok(bytes > MAX_OPERATION_BYTES * 1.12);
});

test("clear operations stay clear, and sealed ones are none of the profile habits", () => {
  const text = JSON.stringify(createSealedOperation({ entityId: sealedId("x") }));
  assert.equal(validateOperation(scanOperation(text), "open").kind, "valid");
  const habits = validateOperation(scanOperation(text), "habits");
  assert.ok(habits.kind === "invalid" && habits.code === "entity_id");
});

test("the reason does not repeat what was written", () => {
  const thought = "a private thought";
  for (const operation of [
    createSealedOperation({ entityId: thought }),
    createSealedOperation({ payload: { [thought]: 1 } }),
    createSealedOperation({ payload: { [sealedName("a")]: thought } }),
  ]) {
    const result = validateOperation(scanOperation(JSON.stringify(operation)), "sealed");
    assert.ok(result.kind === "invalid" && !result.reason.includes("thought"));
    assert.match(result.reason, /^the server takes only encrypted operations: /);
  }
});
