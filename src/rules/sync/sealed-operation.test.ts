import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createSealedOperation,
  keyIdOf,
  sealedEnvelope,
  sealedId,
  sealedName,
  type SealedOperationOptions,
} from "../../../test/fixtures/sealed-operation.ts";
import {
  MAX_FIELDS,
  MAX_OPERATION_BYTES,
  MAX_SEALED_OPERATION_BYTES,
} from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { decodeBase64Url } from "../base64url.ts";
import { operationToState } from "./merge.ts";
import { parseOperation, scanOperation } from "./operation-text.ts";
import { parseEnvelope } from "./sealed-operation.ts";
import { validateOperation } from "./validate-operation.ts";

/** The code, or "valid". */
function validate(operation: unknown): string {
  const text = typeof operation === "string" ? operation : JSON.stringify(operation);
  const result = validateOperation(scanOperation(text), "sealed");
  return result.kind === "valid" ? "valid" : result.code;
}

const validateBuilt = (options: SealedOperationOptions) => validate(createSealedOperation(options));
const [name, other] = ["AAAAAAAAAAAAAAAAAAAAAA", "zAAAAAAAAAAAAAAAAAAAAA"] as const;

/** The operation with other members in its document. */
function withMembers(operation: Operation, change: (document: object) => object): Operation {
  return { ...operation, document: change(operation.document) as Operation["document"] };
}

test("sealed operations of every kind are valid, with and without fields", () => {
  for (const kind of ["create", "restore", "patch", "delete"] as const) {
    assert.equal(validateBuilt({ kind }), "valid", kind);
    assert.equal(validateBuilt({ kind, metadata: [name, other] }), "valid", kind);
  }
  assert.equal(validateBuilt({ payload: [] }), "valid");
  assert.equal(validateBuilt({ kind: "patch", payload: [], metadata: [name] }), "valid");
  assert.equal(validateBuilt({ kind: "patch", payload: [] }), "changed_none");
});

test("a valid operation names its key, and its envelope is no register", () => {
  const text = JSON.stringify(createSealedOperation({ metadata: [name], key: "key 2" }));
  const result = validateOperation(scanOperation(text), "sealed");
  assert.ok(result.kind === "valid" && result.operation.envelope?.keyId === keyIdOf("key 2"));
  const { payloadFields, metadataFields } = operationToState(parseOperation(text));
  assert.deepEqual([...metadataFields.keys()], [name]);
  const values = [...payloadFields.values(), ...metadataFields.values()].map(({ json }) => json);
  assert.deepEqual(new Set(values), new Set(['""']));
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
  const withName = (given: string) => [
    validateBuilt({ payload: [given] }),
    validateBuilt({ metadata: [given] }),
  ];
  assert.deepEqual(withName("A".repeat(22)), ["valid", "valid"]);
  assert.deepEqual(withName("9".repeat(21) + "w"), ["valid", "valid"]);
  for (const given of [
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
    assert.deepEqual(withName(given), ["not_sealed", "not_sealed"], given.slice(0, 60));
  }
  assert.equal(validateBuilt({ payload: ["sealed"] }), "not_sealed");
  const text = JSON.stringify(createSealedOperation({ kind: "patch" }));
  const prototype = text.replaceAll(`"${sealedName("title")}"`, '"__proto__"');
  assert.equal(validate(prototype), "not_sealed");
});

test("every value but the envelope is the empty text", () => {
  const envelope = sealedEnvelope("a");
  for (const value of ["a clear thought", " ", 7, null, true, false, [], {}, [""], envelope]) {
    const payload = { [name]: value };
    const patch = createSealedOperation({ kind: "patch", payload: [name], metadata: [name] });
    const inPayload = withMembers(patch, (document) => ({ ...document, payload }));
    assert.equal(validate(inPayload), "not_sealed", JSON.stringify(value));
    const inMetadata = withMembers(patch, (document) => ({ ...document, [name]: value }));
    assert.equal(validate(inMetadata), "not_sealed", JSON.stringify(value));
  }
});

test("the envelope is a text of version, key id, and base64url of at least nonce and tag", () => {
  const [keyId, rest] = ["A".repeat(22), "A".repeat(54)];
  for (const envelope of [`2.${keyId}.${rest}`, `2.-_-_-_-_-_-_-_-_-_-_-w.${rest}AA`]) {
    assert.equal(validateBuilt({ envelope }), "valid", envelope);
  }
  for (const envelope of [
    "a clear thought",
    "",
    `1.${keyId}.${rest}`,
    `3.${keyId}.${rest}`,
    `2.${keyId.slice(1)}.${rest}`,
    `2.${keyId.slice(1)}B.${rest}`,
    `2.${"A".repeat(5000)}.${rest}`,
    `2.${keyId.slice(2)}==.${rest}`,
    `2.${keyId}.${rest.slice(1)}`,
    `2.${keyId}.${rest}A.A`,
    `2.${keyId}.${rest}\n`,
    `2.${keyId}.${rest}AA==`,
    `2.${keyId}.${rest.slice(1)}+`,
    `2.${keyId}.${rest.slice(1)}\ud83d`,
  ]) {
    assert.equal(validateBuilt({ envelope }), "not_sealed", envelope.slice(0, 80));
  }
  for (const sealed of [undefined, null, 7, [`2.${keyId}.${rest}`], {}]) {
    const operation = withMembers(createSealedOperation(), (document) => ({ ...document, sealed }));
    assert.equal(validate(operation), "not_sealed", JSON.stringify(sealed));
  }
});

test("an envelope in another spelling of JSON or of base64url is none", () => {
  const text = JSON.stringify(createSealedOperation());
  assert.equal(validate(text), "valid");
  assert.equal(validate(text.replace('"2.', String.raw`"\u0032.`)), "not_sealed");
  const characters = fc.constantFrom(..."ABQgwEIMUYcko048xyz-_9=+/. ");
  fc.assert(
    fc.property(
      fc.nat(3),
      fc.string({ unit: characters, minLength: 2, maxLength: 8 }),
      (by, end) => {
        const base64url = "A".repeat(52 + by) + end;
        const isCanonical = base64url.length >= 54 && decodeBase64Url(base64url) !== null;
        const envelope = parseEnvelope(`2.${"A".repeat(22)}.${base64url}`);
        assert.equal(envelope !== null, isCanonical, base64url);
      },
    ),
    { numRuns: 3000 },
  );
});

test("the members of payload and metadata are sorted by name, the envelope among them", () => {
  const operation = createSealedOperation({ payload: [name, other], metadata: [name, other] });
  assert.equal(validate(operation), "valid");
  const { payload = {}, schemaVersion, entityId, deleted, ...metadata } = operation.document;
  assert.deepEqual(Object.keys(metadata), [name, "sealed", other]);
  const reverse = (fields: object) => Object.fromEntries(Object.entries(fields).toReversed());
  const fixed = { schemaVersion, entityId, deleted };
  const { sealed, ...fields }: Record<string, unknown> = metadata;
  for (const document of [
    { ...fixed, payload: reverse(payload), ...metadata },
    { ...fixed, payload, ...reverse(metadata) },
    { ...fixed, payload, ...fields, sealed },
    { ...fixed, payload, sealed, ...fields },
  ]) {
    assert.equal(validate({ ...operation, document }), "not_sealed", Object.keys(document).join());
  }
  assert.equal(validate({ ...operation, document: { ...metadata, ...fixed, payload } }), "valid");
});

test("an operation of any kind names exactly its fields as changed, sorted", () => {
  for (const kind of ["create", "restore", "patch", "delete"] as const) {
    const payload = kind === "delete" ? [] : [name, other];
    const operation = createSealedOperation({ kind, payload, metadata: [name, other] });
    const members = ["changedFields", "changedMetadataFields"] as const;
    for (const member of kind === "delete" ? members.slice(1) : members) {
      for (const names of [[], [name], [other, name], [name, other, other], [name, "sealed"]]) {
        assert.equal(
          validate({ ...operation, [member]: names }),
          "not_sealed",
          `${kind} ${names.join()}`,
        );
      }
    }
    const withEnvelope = [name, "sealed", other];
    const named = { ...operation, changedMetadataFields: withEnvelope };
    assert.equal(validate(named), "not_sealed", kind);
  }
});

test("the rules of all profiles hold too: repetitions, tombstones and the number of fields", () => {
  const text = JSON.stringify(createSealedOperation({ payload: [name] }));
  assert.equal(validate(text.replace(`"${name}":`, `"${name}":"","${name}":`)), "member_repeated");
  assert.equal(validate(text.replace('"sealed":', '"sealed":"","sealed":')), "member_repeated");
  assert.equal(validate(text.replace("{", '{"kind":"create",')), "member_repeated");
  const tombstone = createSealedOperation({ kind: "delete" });
  const document = { ...tombstone.document, payload: {} };
  assert.equal(validate({ ...tombstone, document }), "tombstone_payload");
  const names = Array.from({ length: MAX_FIELDS + 1 }, (_, index) => sealedName(String(index)));
  const most = names.slice(1);
  assert.equal(validateBuilt({ payload: most, metadata: most }), "valid");
  assert.equal(validateBuilt({ payload: names }), "too_many_fields");
  assert.equal(validateBuilt({ metadata: names }), "too_many_fields");
});

test("an operation is at most 160 KiB, which its envelope may almost fill", () => {
  const sized = (bytes: number) =>
    createSealedOperation({ payload: [name], envelope: sealedEnvelope("a", bytes) });
  const sizeOf = (operation: Operation) => JSON.stringify(operation).length;
  let bytes = 120_000;
  while (sizeOf(sized(bytes + 1)) <= MAX_SEALED_OPERATION_BYTES) bytes++;
  assert.equal(validate(sized(bytes)), "valid");
  assert.equal(validate(sized(bytes + 1)), "too_large");
  // What is 64 KiB in the clear: Padmé adds at most 12 %, and 512 fields take 27 KB in the clear.
  assert.ok(bytes > MAX_OPERATION_BYTES * 1.12 + (512 * 53 * 3) / 4);
});

test("sealed operations are ordinary ones of the profile open, and none of the profile habits", () => {
  const text = JSON.stringify(createSealedOperation({ kind: "patch", entityId: sealedId("x") }));
  assert.equal(validateOperation(scanOperation(text), "open").kind, "valid");
  const habits = validateOperation(scanOperation(text), "habits");
  assert.ok(habits.kind === "invalid" && habits.code === "entity_id");
});

test("the reason does not repeat what was written", () => {
  const thought = "a private thought";
  for (const operation of [
    createSealedOperation({ entityId: thought }),
    createSealedOperation({ payload: [thought] }),
    createSealedOperation({ envelope: thought }),
  ]) {
    const result = validateOperation(scanOperation(JSON.stringify(operation)), "sealed");
    assert.ok(result.kind === "invalid" && !result.reason.includes("thought"));
    assert.match(result.reason, /^the server takes only encrypted operations: /);
  }
});
