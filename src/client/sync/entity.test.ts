import assert from "node:assert/strict";
import { test } from "node:test";
import {
  datePayload,
  isSameEntity,
  packEntity,
  parseEntity,
  unpackEntity,
  type PackedEntity,
} from "./entity.ts";

const EARLY = { sequence: 1, deviceId: "phone" };
const LATE = { sequence: 2, deviceId: "tablet" };

const entityOf = (titleAt: typeof EARLY, metadata: ReadonlyMap<string, string>, flags = {}) => {
  const payload = new Map([
    ["title", '"Milk"'],
    ["done", "null"],
  ]);
  const registers = new Map([
    ["title", { json: '"Milk"', revision: titleAt }],
    ["done", { json: "null", revision: EARLY }],
  ]);
  return parseEntity({ entityId: "task/1", deleted: false, payload, metadata, registers }, flags);
};

test("an entity that was packed is the same, with when each field was written", () => {
  for (const entity of [
    entityOf(EARLY, new Map()),
    entityOf(LATE, new Map()),
    entityOf(EARLY, new Map([["color", '{"r":1}']])),
    entityOf(EARLY, new Map(), { refused: true }),
    entityOf(LATE, new Map([["color", '"red"']]), { refused: true }),
  ]) {
    const text = JSON.stringify(packEntity(entity));
    const unpacked = unpackEntity(JSON.parse(text) as PackedEntity);
    assert.ok(isSameEntity(unpacked, entity), text);
    assert.deepEqual(datePayload(unpacked), datePayload(entity));
    assert.ok(Object.isFrozen(unpacked) && Object.isFrozen(unpacked.payload));
  }
});
