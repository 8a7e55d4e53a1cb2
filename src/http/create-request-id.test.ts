import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequestId } from "./create-request-id.ts";

test("every id is new and of the same form", () => {
  const ids = Array.from({ length: 2000 }, createRequestId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{22}$/);
});
