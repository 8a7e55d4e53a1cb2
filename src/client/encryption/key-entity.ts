/** Writes the key entity: which key is the account's and, sealed, the name key and the former data keys. */
import { KEY_ENTITY_ID, type OperationKind } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { buildOperation } from "../../rules/sync/operation.ts";
import type { AccountKeys } from "./former-types.ts";
import { createValueKeys, toKeyEntityName } from "./derived-keys.ts";
import { createRandomNonces, sealValue, type CreateNonce } from "./sealed-value.ts";

/** `check/<key id>` proves a key, `keys/<key id>` holds the others, `next/<key id>` names the one after it. */
export type KeyEntityField = "check" | "keys" | "next";

/** What a field of the key entity says, under the key of its name. */
interface KeyFact {
  readonly keys: AccountKeys;
  readonly field: KeyEntityField;
  readonly value: unknown;
}

export function createKeyEntity(
  keys: AccountKeys,
  revision: Revision,
  createNonce?: CreateNonce,
): string {
  return sealFacts("create", [toCheck(keys), toKeyList(keys)], revision, createNonce);
}

export function rotateKeyEntity(
  keys: AccountKeys,
  next: AccountKeys,
  revision: Revision,
  createNonce?: CreateNonce,
): string {
  const toNext: KeyFact = { keys, field: "next", value: next.keyId };
  return sealFacts("patch", [toCheck(next), toKeyList(next), toNext], revision, createNonce);
}

/** The value of `check/<key id>`. */
export function toCheckValue(keyId: string): readonly unknown[] {
  return ["check", keyId];
}

function toCheck(keys: AccountKeys): KeyFact {
  return { keys, field: "check", value: toCheckValue(keys.keyId) };
}

function toKeyList(keys: AccountKeys): KeyFact {
  const former = Array.from(keys.former, ([keyId, key]) => ({ keyId, key: encodeBase64Url(key) }));
  return { keys, field: "keys", value: { nameKey: encodeBase64Url(keys.nameKey), former } };
}

function sealFacts(
  kind: OperationKind,
  facts: readonly KeyFact[],
  revision: Revision,
  createNonce = createRandomNonces(facts.length),
): string {
  const fields = facts.map(({ keys: { keyId, dataKey }, field, value }) => {
    const name = toKeyEntityName(field, keyId);
    const place = { sealedId: KEY_ENTITY_ID, part: "payload", name, revision } as const;
    const findKey = createValueKeys(new Map([[keyId, dataKey]]));
    return [name, sealValue(findKey, keyId, place, JSON.stringify(value), createNonce)] as const;
  });
  const payload = Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(buildOperation({ kind, revision, entityId: KEY_ENTITY_ID, payload }));
}
