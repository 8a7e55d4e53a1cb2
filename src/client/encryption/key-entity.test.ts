import assert from "node:assert/strict";
import { test } from "node:test";
import { countedKey, fixedKeys } from "../../../test/fixtures/encryption-keys.ts";
import { createParsedOperation } from "../../../test/fixtures/sync-operation.ts";
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import {
  parseOperation,
  scanOperation,
  type ParsedOperation,
} from "../../rules/sync/operation-text.ts";
import { validateOperation } from "../../rules/sync/validate-operation.ts";
import type { AccountKeys, KeyEntityResult } from "../sync/encryption.ts";
import { createAccountKeys, createDataKey, rotateAccountKeys } from "./account-keys.ts";
import { createValueKeys, toKeyEntityName } from "./derived-keys.ts";
import { createKeyEntity, extendKeyEntity, rotateKeyEntity } from "./key-entity.ts";
import { isAuthentic, readKeyEntity } from "./read-key-entity.ts";
import { createRandomNonces, sealValue } from "./sealed-value.ts";

const at = (sequence: number, deviceId = "phone") => ({ deviceId, sequence });

const first = fixedKeys(0);
const second = rotateAccountKeys(first, countedKey(10));
const third = rotateAccountKeys(second, countedKey(20));

const created = parseOperation(createKeyEntity(first, at(1)));
const toSecond = parseOperation(rotateKeyEntity(first, second, at(5)));
const toThird = parseOperation(rotateKeyEntity(second, third, at(9)));

function read(keys: AccountKeys, ...operations: readonly ParsedOperation[]): KeyEntityResult {
  return readKeyEntity(operations, keys.dataKey);
}

const isAccountKey = (keys: AccountKeys) => ({ kind: "account-key", keys });
const OTHER = { kind: "other-key" };
const replacedBy = ({ keyId }: AccountKeys) => ({ kind: "replaced", keyId });

test("the key entity obeys the profile sealed", () => {
  for (const { text, entityId } of [created, toSecond]) {
    assert.equal(entityId, KEY_ENTITY_ID);
    assert.equal(validateOperation(scanOperation(text), "sealed").kind, "valid");
  }
});

test("new keys come from the platform's generator", () => {
  const keys = Array.from({ length: 20 }, () => createAccountKeys(createDataKey()));
  const all = keys.flatMap(({ dataKey, nameKey }) => [dataKey, nameKey].map(String));
  assert.equal(new Set(all).size, 40);
  assert.equal(new Set(keys.map(({ keyId }) => keyId)).size, 20);
});

test("the create names the account's key, and authentic rotations the one after it", () => {
  assert.deepEqual(read(first, created), isAccountKey(first));
  assert.deepEqual(read(first, created, toSecond), replacedBy(second));
  assert.deepEqual(read(second, created, toSecond), isAccountKey(second));
  assert.deepEqual(read(second, toThird, toSecond, created), replacedBy(third));
  assert.deepEqual(read(third, toThird, created, toSecond), isAccountKey(third));
  assert.deepEqual([...third.former.keys()], [first.keyId, second.keyId]);
});

test("a key is not believed without a create, and without the rotations that lead to it", () => {
  assert.deepEqual(read(first), { kind: "missing" });
  assert.deepEqual(read(second, toSecond), { kind: "missing" });
  assert.deepEqual(read(fixedKeys(90), created, toSecond), OTHER);
  assert.deepEqual(read(second, created), OTHER);
  assert.deepEqual(read(third, created, toThird), OTHER);
  const elsewhere = createParsedOperation({ entityId: "note/1", sequence: 2 });
  assert.deepEqual(read(first, elsewhere), { kind: "missing" });
});

test("another account's key entity says nothing to a key", () => {
  const other = fixedKeys(90);
  const otherCreated = parseOperation(createKeyEntity(other, at(1)));
  assert.deepEqual(read(first, otherCreated), OTHER);
  const otherRotated = parseOperation(
    rotateKeyEntity(other, rotateAccountKeys(other, countedKey(91)), at(7)),
  );
  assert.deepEqual(read(first, created, otherRotated), isAccountKey(first));
});

test("a field that was moved to another revision, name or entity is not authentic", () => {
  const moved = { ...toSecond, revision: at(6) };
  assert.deepEqual(read(first, created, moved), isAccountKey(first));
  assert.deepEqual(read(second, created, moved), OTHER);
  const renamed = {
    ...toThird,
    payloadFields: toThird.payloadFields.map(({ json }, index) => ({
      name: toSecond.payloadFields[index]?.name ?? "",
      json,
    })),
  };
  assert.deepEqual(read(first, created, renamed), isAccountKey(first));
  assert.deepEqual(read(first, { ...created, revision: at(2) }), OTHER);
});

test("a deletion of the key entity is not believed", () => {
  const deletion = createParsedOperation({ kind: "delete", entityId: KEY_ENTITY_ID, sequence: 99 });
  assert.deepEqual(read(first, created, deletion), isAccountKey(first));
  assert.deepEqual(read(first, deletion), { kind: "missing" });
});

test("who has a former key cannot speak for the key after it", () => {
  const findFirst = createValueKeys(new Map([[first.keyId, first.dataKey]]));
  const forge = (field: "next" | "keys", value: unknown) => {
    const name = toKeyEntityName(field, second.keyId);
    const place = { sealedId: KEY_ENTITY_ID, part: "payload", name, revision: at(20) } as const;
    const text = JSON.stringify(value);
    const json = sealValue(findFirst, first.keyId, place, text, createRandomNonces(1));
    return { ...toSecond, revision: at(20), payloadFields: [{ name, json: `"${json}"` }] };
  };
  const evil = encodeBase64Url(countedKey(1));
  for (const forged of [forge("next", third.keyId), forge("keys", { nameKey: evil, former: [] })]) {
    assert.deepEqual(read(second, created, toSecond, forged), isAccountKey(second));
    assert.ok(!isAuthentic(forged, second));
  }
});

test("of two rotations at once the greater revision counts, and its key can take in the other", () => {
  const rival = rotateAccountKeys(first, countedKey(30));
  const toRival = parseOperation(rotateKeyEntity(first, rival, at(6, "laptop")));
  const operations = [created, toSecond, toRival];
  assert.deepEqual(read(second, ...operations), replacedBy(rival));
  assert.deepEqual(read(rival, ...operations), isAccountKey(rival));
  const former = new Map([...rival.former, [second.keyId, second.dataKey]]);
  const both = { ...rival, former };
  const extended = parseOperation(extendKeyEntity(both, at(7)));
  assert.deepEqual(read(rival, ...operations, extended), isAccountKey(both));
  assert.deepEqual(read(second, ...operations, extended), replacedBy(rival));
});

test("keys that lead in a circle are no account's", () => {
  const back = parseOperation(rotateKeyEntity(second, first, at(8)));
  assert.deepEqual(read(second, created, toSecond, back), OTHER);
  const toItself = parseOperation(rotateKeyEntity(second, second, at(8)));
  assert.deepEqual(read(second, created, toSecond, toItself), OTHER);
});

test("a list of keys with a key that is none, or not of its id, is not believed", () => {
  const wrong = [
    { ...first, nameKey: new Uint8Array(31) },
    { ...first, former: new Map([["AAAAAAAA", countedKey(3)]]) },
    { ...first, former: new Map([[second.keyId, new Uint8Array(33)]]) },
  ];
  for (const keys of wrong) {
    assert.deepEqual(read(first, parseOperation(createKeyEntity(keys, at(1)))), OTHER);
  }
});

test("a device believes what its keys vouch for, and no forgery", () => {
  for (const keys of [second, third]) {
    for (const operation of [created, toSecond, toThird]) assert.ok(isAuthentic(operation, keys));
  }
  assert.ok(!isAuthentic(toThird, first), "none of its values is under this key");
  const other = parseOperation(createKeyEntity(fixedKeys(90), at(1)));
  const [value, ...values] = toSecond.payloadFields;
  assert.ok(value !== undefined);
  const damaged = { ...value, json: value.json.replace(/..."$/, 'AAA"') };
  for (const forged of [
    other,
    { ...toSecond, revision: at(6) },
    { ...toSecond, payloadFields: [damaged, ...values] },
    { ...toSecond, payloadFields: [{ ...value, json: '"clear"' }, ...values] },
    createParsedOperation({ kind: "delete", entityId: KEY_ENTITY_ID, sequence: 99 }),
  ]) {
    assert.ok(!isAuthentic(forged, second));
  }
});
