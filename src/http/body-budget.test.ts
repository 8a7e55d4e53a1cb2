import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyBudgetError, createBodyBudget } from "./body-budget.ts";
import { readText } from "./read-body.ts";
import type { RawRequest } from "./request.ts";

const rules = { mediaType: "text/plain", maxBytes: 100 };

/** A request whose body is `chunk`, `count` times, each when it is let through. */
function createRequest(chunk: string, count: number) {
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const request: RawRequest = {
    method: "POST",
    target: "/",
    remoteAddress: undefined,
    header: (name) => (name === "content-type" ? "text/plain" : null),
    async *body() {
      for (const gate of gates) {
        await gate.promise;
        yield Buffer.from(chunk);
      }
    },
  };
  return { request, letThrough: (index: number) => gates[index]?.resolve() };
}

test("bodies that are received at once share the budget, and give it back", async () => {
  const budget = createBodyBudget(20);
  const [first, second] = [createRequest("0123456789", 2), createRequest("0123456789", 2)];
  const reading = readText(budget.limit(first.request), rules);
  const refused = readText(budget.limit(second.request), rules);
  first.letThrough(0);
  second.letThrough(0);
  await new Promise(setImmediate);
  second.letThrough(1);
  await assert.rejects(refused, BodyBudgetError);
  // The refused body gave back what it had taken.
  first.letThrough(1);
  assert.deepEqual(await reading, { kind: "text", text: "01234567890123456789" });
  const third = createRequest("0123456789", 2);
  const again = readText(budget.limit(third.request), rules);
  third.letThrough(0);
  third.letThrough(1);
  assert.deepEqual(await again, { kind: "text", text: "01234567890123456789" });
});

test("a body that is too large, or breaks off, gives its bytes back", async () => {
  const budget = createBodyBudget(250);
  for (let round = 0; round < 4; round++) {
    const { request, letThrough } = createRequest("0123456789".repeat(6), 2);
    const reading = readText(budget.limit(request), rules);
    letThrough(0);
    letThrough(1);
    assert.deepEqual(await reading, { kind: "too-large" });
  }
});
