/** Reads the key entity with one data key. What a server says counts only where a key vouches for it. */
import { isObject } from "../../contract/is-object.ts";
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import { decodeBase64Url } from "../../rules/base64url.ts";
import { parseJson } from "../../rules/parse-json.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { compareRevisions } from "../../rules/sync/operation.ts";
import type { AccountKeys, KeyEntityResult } from "./former-types.ts";
import { createValueKeys, KEY_BYTES, keyIdOf, toKeyEntityName } from "./derived-keys.ts";
import { toCheckValue, type KeyEntityField } from "./key-entity.ts";
import { openValue } from "./sealed-value.ts";

export function readKeyEntity(
  operations: readonly ParsedOperation[],
  dataKey: Uint8Array,
): KeyEntityResult {
  // A deletion of the key entity has no field, and so says nothing.
  const latestFirst = operations
    .filter(({ entityId }) => entityId === KEY_ENTITY_ID)
    .toSorted((a, b) => compareRevisions(b.revision, a.revision));
  const creates = latestFirst.filter(({ kind }) => kind === "create");
  if (creates.length === 0) return { kind: "missing" };
  const keyId = keyIdOf(dataKey);
  const held = readKeyList(readFact(latestFirst, "keys", keyId, dataKey));
  const dataKeysById = new Map([...(held?.former ?? []), [keyId, dataKey]]);
  const last = followNext(latestFirst, dataKeysById, findFirstKey(creates, dataKeysById));
  if (last === keyId && held !== null) {
    return { kind: "account-key", keys: { keyId, dataKey, ...held } };
  }
  return last === undefined || dataKeysById.has(last)
    ? { kind: "other-key" }
    : { kind: "replaced", keyId: last };
}

/** The key that the account was created with, if it is among these. */
function findFirstKey(
  creates: readonly ParsedOperation[],
  dataKeysById: ReadonlyMap<string, Uint8Array>,
): string | undefined {
  for (const [keyId, key] of dataKeysById) {
    const check = readFact(creates, "check", keyId, key);
    if (JSON.stringify(check) === JSON.stringify(toCheckValue(keyId))) return keyId;
  }
  return undefined;
}

/** The last key to which authentic `next`s lead; it may be one that the device does not have. */
function followNext(
  operations: readonly ParsedOperation[],
  dataKeysById: ReadonlyMap<string, Uint8Array>,
  first: string | undefined,
): string | undefined {
  let last = first;
  const passed = new Set<string>();
  for (;;) {
    const key = last === undefined ? undefined : dataKeysById.get(last);
    if (last === undefined || key === undefined) return last;
    // Only who holds the keys could write a circle; no key of it is the account's.
    if (passed.has(last)) return undefined;
    passed.add(last);
    const next = readFact(operations, "next", last, key);
    if (typeof next !== "string") return last;
    last = next;
  }
}

/** The value of the latest field that opens under exactly this key: a former key vouches for no other. */
function readFact(
  latestFirst: readonly ParsedOperation[],
  field: KeyEntityField,
  keyId: string,
  dataKey: Uint8Array,
): unknown {
  const findKey = createValueKeys(new Map([[keyId, dataKey]]));
  const name = toKeyEntityName(field, keyId);
  for (const { payloadFields, revision } of latestFirst) {
    const written = payloadFields.find((one) => one.name === name);
    if (written === undefined) continue;
    const place = { sealedId: KEY_ENTITY_ID, part: "payload", name, revision } as const;
    const result = openValue(findKey, place, written.json);
    if (result.kind === "opened") return parseJson(result.text);
  }
  return undefined;
}

/** Null when a key is no key, or does not have its id. */
function readKeyList(value: unknown): Pick<AccountKeys, "nameKey" | "former"> | null {
  if (!isObject(value) || !Array.isArray(value["former"])) return null;
  const nameKey = readKey(value["nameKey"]);
  const former = new Map<string, Uint8Array>();
  for (const one of value["former"] as readonly unknown[]) {
    const key = isObject(one) ? readKey(one["key"]) : null;
    if (!isObject(one) || key === null || one["keyId"] !== keyIdOf(key)) return null;
    former.set(keyIdOf(key), key);
  }
  return nameKey === null ? null : { nameKey, former };
}

function readKey(value: unknown): Uint8Array | null {
  const key = typeof value === "string" ? decodeBase64Url(value) : null;
  return key?.length === KEY_BYTES ? key : null;
}
