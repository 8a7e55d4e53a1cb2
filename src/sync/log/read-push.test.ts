import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createOperation } from "../../../test/fixtures/sync-operation.ts";
import { createChecker } from "../../contract/check.ts";
import { PushBody } from "../../contract/sync/schemas.ts";
import { readPush, type PushRules } from "./read-push.ts";

const RULES = { maxOperations: 3, profile: "habits" } as const;

const read = (text: string, rules: PushRules = RULES) => readPush(Buffer.from(text), rules);
const operation = (sequence: number) => createOperation({ sequence });

test("every operation has its text as it was sent, its ids and its state", () => {
  const texts = [JSON.stringify(operation(1)), JSON.stringify(operation(2), null, 2)];
  const result = read(`{"operations":[${texts.join(" , ")}]}`);
  assert.ok(result.kind === "operations");
  assert.deepEqual(
    result.operations.map(({ text, operationId, entityId }) => [text, operationId, entityId]),
    [
      [texts[0], "operation/phone/1", "habit/water"],
      [texts[1], "operation/phone/2", "habit/water"],
    ],
  );
  assert.match(result.operations[0]?.state ?? "", /^\[1,"habit\/water",\[\[1,"phone"\]\],0,-1,/);
});

test("invalid UTF-8 and invalid JSON are invalid-json", () => {
  for (const bytes of [Buffer.from([0x22, 0xff, 0x22]), Buffer.from('{"operations":[')]) {
    assert.deepEqual(readPush(bytes, RULES), { kind: "invalid-json" });
  }
});

test("the body is checked exactly like the schema of the contract", () => {
  const { is } = createChecker(PushBody);
  const lists = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 });
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { operations: fc.oneof(lists, fc.jsonValue()), further: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(bodies, (body) => {
      const { kind } = read(JSON.stringify(body), { ...RULES, maxOperations: 100 });
      assert.equal(kind !== "invalid-body", is(body));
    }),
  );
});

test("too many operations are an invalid body, and a member that is given twice is invalid JSON", () => {
  const list = (length: number) =>
    JSON.stringify(Array.from({ length }, (_, index) => operation(index + 1)));
  assert.equal(read(`{"operations":${list(3)}}`).kind, "operations");
  assert.equal(read(`{"operations":${list(4)}}`).kind, "invalid-body");
  for (const members of [`"operations":${list(1)}`, '"operations":1', '"extra":1,"extra":2']) {
    assert.equal(read(`{${members},"operations":${list(1)}}`).kind, "invalid-json", members);
    assert.equal(read(`{"operations":${list(1)},${members}}`).kind, "invalid-json", members);
  }
  assert.equal(read(`{"operations":${list(1)},"extra":1}`).kind, "invalid-body");
});

test("the message names every operation that breaks a rule", () => {
  const broken = { ...operation(2), kind: "rename" };
  const result = read(JSON.stringify({ operations: [operation(1), broken, 7] }));
  assert.ok(result.kind === "invalid-operations");
  assert.match(result.message, /1.*kind.*2/s);
  assert.equal(result.refused, "1=kind_unknown, 2=operation_shape");
});
