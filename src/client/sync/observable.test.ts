import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_FACTS } from "./local-facts.ts";
import { createObservable } from "./observable.ts";

test("a status is the same object until something in it changes", () => {
  let facts = NO_FACTS;
  const observable = createObservable(
    () => facts,
    () => null,
  );
  const before = observable.getSnapshot();
  observable.notify(["note/1"]);
  const after = observable.getSnapshot();
  assert.notEqual(after, before);
  assert.equal(after.status, before.status);
  facts = { ...facts, pending: 1 };
  observable.notify(["note/1"]);
  assert.notEqual(observable.getSnapshot().status, before.status);
  assert.equal(observable.getSnapshot().status.pending, 1);
});
