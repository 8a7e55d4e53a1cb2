import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { OperationKind } from "../../contract/sync/operation-limits.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { parseEntity } from "./entity.ts";
import {
  MISSED,
  MISSED_BUT_KNOWN,
  REFUSED,
  parseStoredOperations,
  storedOperationsToText,
  toVisible,
  UNCONFIRMED,
  unreadableIn,
} from "./entity-record.ts";
import { findPlainEntity, readPlainEntity } from "./plain-entity.ts";
import { CLEAR_FORM } from "./record-form.ts";

const fields = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4, noNullPrototype: true });

const operation = fc
  .record({
    kind: fc.constantFrom<OperationKind>("create", "patch", "restore", "delete"),
    payload: fields,
    changed: fc.nat(5),
    source: fc.option(fc.string(), { freq: 1 }),
    confirmedIn: fc.constantFrom(
      1,
      UNCONFIRMED,
      MISSED,
      MISSED_BUT_KNOWN,
      REFUSED,
      unreadableIn(1),
    ),
  })
  .map(({ kind, payload, changed, source, confirmedIn }) => ({
    kind,
    payload,
    changed,
    source,
    confirmedIn,
  }));

test("an entity that one operation wrote is what a merge makes of it, every other is left to the merge", () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 2 }), (operations) => {
      const stored = operations.map(({ kind, payload, changed, source, confirmedIn }, index) => {
        const revision = { deviceId: "phone", sequence: index + 1 };
        const given = kind === "delete" ? {} : payload;
        const text = JSON.stringify({
          operationId: operationIdOf(revision),
          kind,
          revision,
          changedFields: Object.keys(given).slice(0, changed),
          changedMetadataFields: source === null ? [] : ["source"],
          document: { entityId: "note/1", payload: given, ...(source !== null && { source }) },
        });
        return { operation: parseOperation(text), confirmedIn };
      });
      const text = storedOperationsToText(stored);
      const entity = readPlainEntity(text);
      const [first] = operations;
      const isPlain =
        operations.length === 1 &&
        (first?.kind === "create" || first?.kind === "restore") &&
        first.source === null &&
        first.confirmedIn > REFUSED &&
        first.changed >= Object.keys(first.payload).length;
      assert.equal(entity !== undefined, isPlain);
      assert.deepEqual(findPlainEntity(stored), entity);
      if (entity === undefined) return;
      plain++;
      const visible = toVisible(CLEAR_FORM, parseStoredOperations(text));
      assert.ok(visible !== null);
      assert.deepEqual(entity, parseEntity(visible));
      assert.ok(Object.values(entity.payload).every((value) => Object.isFrozen(value)));
    }),
    { numRuns: 500 },
  );
  assert.ok(plain > 20);
});
