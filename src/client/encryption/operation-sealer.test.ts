import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countedDataKey } from "../../../test/fixtures/data-keys.ts";
import { OPERATION_KINDS } from "../../contract/sync/operation-limits.ts";
import { buildOperation } from "../../rules/sync/operation.ts";
import { parseOperation, scanOperation } from "../../rules/sync/operation-text.ts";
import { findEnvelope } from "../../rules/sync/sealed-operation.ts";
import { validateOperation } from "../../rules/sync/validate-operation.ts";
import { createOperationSealer } from "./operation-sealer.ts";

const KEYS = [countedDataKey(0), countedDataKey(100)] as const;

const fields = fc.dictionary(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 5, noNullPrototype: true },
);

test("every operation is valid when it is sealed, and opens as it was, by any device of the account", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OPERATION_KINDS),
      fields,
      fields.filter((metadata) => !("payload" in metadata)),
      (kind, payload, metadata) => {
        const own = kind === "patch" ? { ...payload, a: 1 } : payload;
        const content = { kind, entityId: "note/1", payload: own, metadata };
        const revision = { deviceId: "phone", sequence: 7 };
        const clear = parseOperation(JSON.stringify(buildOperation({ ...content, revision })));
        const sealer = createOperationSealer(KEYS);
        const named = sealer.toNamed(clear);
        const text = sealer.seal(named);
        assert.equal(sealer.seal(sealer.toNamed(clear)), text);
        const scanned = scanOperation(text);
        assert.equal(validateOperation(scanned, "sealed").kind, "valid", text);
        const envelope = findEnvelope(scanned.metadata) ?? assert.fail();
        assert.deepEqual(createOperationSealer(KEYS).open(named, envelope), named.plain);
      },
    ),
    { numRuns: 60 },
  );
});

const REVISION = { deviceId: "phone", sequence: 7 };

function sealedNote() {
  const sealer = createOperationSealer(KEYS);
  const payload = { a: 1, b: "Zugspitze" };
  const content = { kind: "patch", entityId: "note/1", payload, metadata: { a: 2 } } as const;
  const text = JSON.stringify(buildOperation({ ...content, revision: REVISION }));
  const named = sealer.toNamed(parseOperation(text));
  const envelope = findEnvelope(scanOperation(sealer.seal(named)).metadata) ?? assert.fail();
  return { sealer, named, envelope };
}

test("fields of two entities, and of both parts, have different names", () => {
  const { sealer, named } = sealedNote();
  const other = { kind: "patch", entityId: "note/2", payload: { a: 1, b: 1 } } as const;
  const text = JSON.stringify(buildOperation({ ...other, revision: REVISION }));
  const { payload, opaqueId } = sealer.toNamed(parseOperation(text));
  assert.equal(new Set([...named.payload, ...named.metadata, ...payload]).size, 5);
  assert.notEqual(opaqueId, named.opaqueId);
});

test("an operation opens only as a whole: with its entity, kind, revision, fields and key", () => {
  const { sealer, named, envelope } = sealedNote();
  assert.deepEqual(sealer.open(named, envelope), named.plain);
  const { opaqueId } = createOperationSealer([countedDataKey(7)]).toNamed(
    parseOperation(
      JSON.stringify(buildOperation({ kind: "create", revision: REVISION, entityId: "note/1" })),
    ),
  );
  for (const changed of [
    { opaqueId },
    { kind: "create" },
    { revision: { ...REVISION, sequence: 8 } },
    { revision: { ...REVISION, deviceId: "tablet" } },
    { payload: named.payload.slice(1) },
    { payload: named.payload.toReversed() },
    { payload: named.payload, metadata: [] },
    { payload: [...named.payload, ...named.metadata], metadata: [] },
    { payload: [], metadata: [...named.payload, ...named.metadata] },
  ] as const) {
    assert.equal(
      sealer.open({ ...named, ...changed }, envelope),
      "damaged",
      JSON.stringify(changed),
    );
  }
  const [first, second] = KEYS;
  assert.equal(createOperationSealer([first]).open(named, envelope), "unknown-key");
  assert.equal(sealer.open(named, { ...envelope, keyId: first.id }), "damaged");
  assert.equal(envelope.keyId, second.id);
});

test("every flipped bit and every other length is noticed", () => {
  const { sealer, named, envelope } = sealedNote();
  const whole = Buffer.from(envelope.bytes);
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.equal(sealer.open(named, { ...envelope, bytes }), "damaged", String(bit));
  }
  for (const bytes of [whole.subarray(1), whole.subarray(0, -1), Buffer.concat([whole, whole])]) {
    assert.equal(sealer.open(named, { ...envelope, bytes }), "damaged");
  }
});
