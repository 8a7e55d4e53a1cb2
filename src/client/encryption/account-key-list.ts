/** The list of an account's keys: one record for each, which only devices that have keys can read. */
import { parseJson } from "../../rules/parse-json.ts";
import { isObject } from "../../contract/is-object.ts";
import type { AccountKey } from "../../contract/sync/schemas.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import { parseEnvelope } from "../../rules/sync/sealed-operation.ts";
import { DATA_KEY_BYTES, toDataKey, toWriteHash, type DataKey } from "./data-key.ts";
import { openText, sealText } from "./envelope.ts";

/** Which device made a key of the account, and when, to show to the person. */
export interface KeyOrigin {
  /** The device that replaced the key before. */
  readonly deviceId: string;
  /** RFC 3339, by the clock of that device. */
  readonly at: string;
}

/** Data keys, the first one first: it names everything, and the last one seals. */
export type DataKeys = readonly [DataKey, ...DataKey[]];

/** The record of a key that follows `former`; `origin` is null in a list of its own. */
export function createKeyRecord(
  key: DataKey,
  former: readonly DataKey[],
  origin: KeyOrigin | null,
): AccountKey {
  const list = JSON.stringify(former.map(({ bytes }) => encodeBase64Url(bytes)));
  const record = {
    keyId: key.id,
    write: toWriteHash(key),
    keys: sealText(key, toRecordContext(key.id, "keys", key.id), list),
  };
  const before = former.at(-1);
  if (origin === null || before === undefined) return record;
  const { deviceId, at } = origin;
  const json = JSON.stringify({ keyId: key.id, deviceId, at });
  return { ...record, from: sealText(before, toRecordContext(before.id, "from", key.id), json) };
}

/** The keys up to this one, when its record lists the others; null when it does not open. */
function openDataKeys(record: AccountKey, key: DataKey): DataKeys | null {
  const texts = openFormerKeys(record, key);
  const former = texts?.map(readDataKey) ?? [null];
  return former.includes(null) ? null : ([...former, key] as unknown as DataKeys);
}

/** The former keys in base64url; null when the record is not one of the key. */
function openFormerKeys({ keyId, keys }: AccountKey, key: DataKey): readonly string[] | null {
  const list = openMember(key, "keys", keyId, keys);
  const isList = Array.isArray(list) && list.every((one) => typeof one === "string");
  return isList ? list : null;
}

/** Who replaced a key by that of the record; null when the holder of the key did not write it. */
export function openOrigin({ keyId, from }: AccountKey, before: DataKey): KeyOrigin | null {
  const origin = openMember(before, "from", keyId, from ?? "");
  if (!isObject(origin) || origin["keyId"] !== keyId) return null;
  const { deviceId, at } = origin;
  return typeof deviceId === "string" && typeof at === "string" ? { deviceId, at } : null;
}

/**
 * The keys of a list whose last record is that of the key; null unless all of it belongs together: each record to
 * a key that the last one lists, with the same first key, and made by a device that had the key before.
 */
export function takeOverList(list: readonly AccountKey[], key: DataKey): DataKeys | null {
  const last = list.at(-1);
  if (last?.keyId !== key.id) return null;
  const all = openDataKeys(last, key);
  if (all === null) return null;
  const keysById = new Map(all.map((one) => [one.id, one]));
  const first = encodeBase64Url(all[0].bytes);
  const isWhole = list.every((record, index) => {
    const own = keysById.get(record.keyId);
    if (own === undefined || record.write !== toWriteHash(own)) return false;
    const former = openFormerKeys(record, own);
    const before = keysById.get(list[index - 1]?.keyId ?? "");
    const isFollowing =
      before === undefined ? record.from === undefined : openOrigin(record, before) !== null;
    return isFollowing && former !== null && (former[0] ?? encodeBase64Url(own.bytes)) === first;
  });
  return isWhole ? all : null;
}

function openMember(
  key: DataKey,
  member: "keys" | "from",
  keyId: string,
  envelope: string,
): unknown {
  const { keyId: sealedBy, bytes } = parseEnvelope(envelope) ?? {};
  if (bytes === undefined || sealedBy !== key.id) return undefined;
  return parseJson(openText(key, toRecordContext(key.id, member, keyId), bytes) ?? "");
}

function toRecordContext(sealedBy: string, member: "keys" | "from", keyId: string): string {
  return ["2", sealedBy, member, keyId].join("\n");
}

function readDataKey(text: string): DataKey | null {
  const bytes = decodeBase64Url(text);
  return bytes?.length === DATA_KEY_BYTES ? toDataKey(bytes) : null;
}
