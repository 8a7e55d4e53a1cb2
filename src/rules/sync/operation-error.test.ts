import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  RULES_BY_CODE,
  type InvalidOperationCode,
} from "../../contract/sync/refused-operations.ts";
import { describeErrors, ruleError } from "./operation-error.ts";
import type { OperationError } from "./operation-error.ts";

const operationError = (
  index: number,
  code: InvalidOperationCode = "payload_field_type",
  reason = "payload.name must be text that is not empty",
): OperationError => ({ index, ...ruleError(code, reason) });

test("a few errors are described in full", () => {
  assert.equal(
    describeErrors([
      operationError(2),
      operationError(7, "secret_name", "a name looks like a secret's"),
    ]),
    "Nothing was stored; operation 2: payload.name must be text that is not empty; operation 7: a name looks like a secret's",
  );
});

test("many errors are grouped by rule, with every index", () => {
  const errors = Array.from({ length: 100 }, (_, index) =>
    operationError(index, index === 50 ? "too_large" : "payload_field_type"),
  );
  assert.equal(
    describeErrors(errors),
    "Nothing was stored; operations by broken rule: payload: 0-49,51-99; size: 50",
  );
});

test("a hundred errors fit into 512 characters, with every index", () => {
  const codes = Object.keys(RULES_BY_CODE) as InvalidOperationCode[];
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom(...codes), { freq: 3 }), { minLength: 1, maxLength: 100 }),
      (slots) => {
        const errors = slots.flatMap((code, index) =>
          code === null ? [] : [operationError(index, code)],
        );
        const message = describeErrors(errors);
        assert.ok(message.length <= 512, `${message.length}`);
        const named = new Set<number>();
        for (const [, first = "", last = first] of message.matchAll(/(\d+)(?:-(\d+))?/g)) {
          for (let index = Number(first); index <= Number(last); index++) named.add(index);
        }
        assert.deepEqual(
          [...named].sort((a, b) => a - b),
          errors.map(({ index }) => index),
        );
      },
    ),
    { numRuns: 1000 },
  );
});

test("more errors are cut at 512 characters", () => {
  const errors = Array.from({ length: 400 }, (_, index) => operationError(index * 2));
  const message = describeErrors(errors);
  assert.equal(message.length, 512);
  assert.ok(message.endsWith("…"));
});
