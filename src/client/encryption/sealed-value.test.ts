import assert from "node:assert/strict";
import { test } from "node:test";
import { countedKey, countedNonces, fixedKeys } from "../../../test/fixtures/encryption-keys.ts";
import { createOpaqueNames, createValueKeys } from "./derived-keys.ts";
import { openValue, sealValue, type ValuePlace } from "./sealed-value.ts";

const { keyId, dataKey, nameKey } = fixedKeys();
const names = createOpaqueNames(nameKey);
const sealedId = names.sealedId("note/1");
const place: ValuePlace = {
  sealedId,
  part: "payload",
  name: names.fieldName(sealedId, "payload", "title"),
  revision: { deviceId: "phone", sequence: 7 },
};
const findKey = createValueKeys(
  new Map([
    [keyId, dataKey],
    ["otherkey", dataKey],
  ]),
);
const sealed = sealValue(findKey, keyId, place, "[1]", countedNonces());

function open(at: ValuePlace, value = sealed) {
  const result = openValue(findKey, at, JSON.stringify(value));
  return result.kind === "opened" ? result.text : result.reason;
}

test("each part of its place, and the id of its key, is bound to a value", () => {
  assert.equal(open(place), "[1]".padEnd(64));
  const { revision } = place;
  const places: Partial<ValuePlace>[] = [
    { sealedId: names.sealedId("note/2") },
    { part: "metadata" },
    { name: names.fieldName(sealedId, "payload", "text") },
    { revision: { ...revision, deviceId: "laptop" } },
    { revision: { ...revision, sequence: 8 } },
  ];
  for (const other of places) {
    assert.equal(open({ ...place, ...other }), "damaged", JSON.stringify(other));
  }
  assert.equal(open(place, sealed.replace(keyId, "otherkey")), "damaged");
  assert.equal(open(place, sealed.replace(keyId, "nonesuch")), "unknown-key");
});

test("a value cannot be sealed under a key that is not there", () => {
  const none = createValueKeys(new Map([["otherkey", countedKey(1)]]));
  assert.throws(() => sealValue(none, keyId, place, "1", countedNonces()), /There is no key/);
});
