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
