import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { histories } from "../../../test/fixtures/sync-history.ts";
import { createParsedOperation } from "../../../test/fixtures/sync-operation.ts";
import { entityStateToText, operationToStateText, parseEntityState } from "./entity-state-text.ts";
import { applyOperation, operationToState, type EntityState } from "./merge.ts";
import { parseOperation } from "./operation-text.ts";

test("a state is parsed from its text unchanged", () => {
  fc.assert(
    fc.property(histories, (operations) => {
      let state: EntityState | null = null;
      for (const operation of operations) {
        ({ state } = applyOperation(state, operation));
        assert.deepEqual(parseEntityState(entityStateToText(state)), state);
      }
    }),
  );
});

test("an operation's state has the same text, whichever way it is made", () => {
  fc.assert(
    fc.property(histories, (operations) => {
      for (const operation of operations) {
        assert.equal(
          operationToStateText(operation),
          entityStateToText(operationToState(operation)),
        );
      }
    }),
  );
});

test("values stay as they were written, and shared revisions are stored once", () => {
  const { text } = createParsedOperation({
    entityId: "note/1",
    payload: { a: 0, b: "x\ny" },
    metadata: { m: null },
  });
  const { state } = applyOperation(null, parseOperation(text.replace('"a":0', '"a":1.50e400')));
  assert.equal(
    entityStateToText(state),
    String.raw`[1,"note/1",[[1,"phone"]],0,-1,["a","1.50e400",0,"b","\"x\\ny\"",0],["m","null",0]]`,
  );
});
