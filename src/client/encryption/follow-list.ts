/** Compares the account's list of keys with that of the device, before anything is sent or taken over. */
import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { KeysRecord } from "../sync/keys-record.ts";
import type { PullContext } from "../sync/pull.ts";
import { failure, otherKey, type RequestFailure } from "../sync/request.ts";
import type { DataKeys } from "./account-key-list.ts";
import type { DataKey } from "./data-key.ts";
import { adoptKeys, noteFound, type KeyContext } from "./key-context.ts";
import { keyError, keyNeeded } from "./key-error.ts";
import { appendKey, fetchKeys } from "./key-routes.ts";

/** So often another device may append a record while this one compares. */
const MAX_ATTEMPTS = 4;

/** Null when the device holds the account's key. */
export async function followList(
  context: PullContext,
  keyContext: KeyContext,
): Promise<RequestFailure | null> {
  const clearError = await context.store.read(keyContext.encryption.findClearError);
  if (clearError !== null) return failure(clearError);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const shown = await fetchKeys(context);
    if (shown.kind === "failed") return shown;
    const record = context.store.facts().keys;
    const account = keyContext.keys.account(record);
    const result =
      account === null
        ? await findFirst(context, keyContext, shown.list)
        : await compare(context, keyContext, { record, account, shown: shown.list });
    if (result !== "again") return result;
  }
  return otherKey();
}

type FollowResult = RequestFailure | null | "again";

interface Lists {
  readonly record: KeysRecord;
  /** The keys of the device's own list. */
  readonly account: DataKeys;
  readonly shown: readonly AccountKey[];
}

async function compare(
  context: PullContext,
  keyContext: KeyContext,
  { record, account, shown }: Lists,
): Promise<FollowResult> {
  const { store } = context;
  const { list: own, replacement } = record;
  const common = countCommon(own, shown);
  const { candidate } = keyContext.keys.held();
  // What this device made, and never heard of again, or a person entered, may be the account's key by now.
  const isTried = common < shown.length || isEntered(candidate, shown);
  const tried = isTried ? openLast(keyContext, shown) : null;
  if (tried !== null && isOfAccount(tried, account)) {
    await adoptKeys(store, keyContext, shown, tried);
    return null;
  }
  // A key is entered for the list as it is then: a later one must not take the device back to it.
  if (candidate !== null) await keyContext.keys.setCandidate(null);
  const next = shown[common];
  if (common === own.length && next !== undefined) {
    const by = keyContext.encryption.openOrigin(next, account.at(-1) ?? account[0]);
    if (by === null) return disagree(context, record);
    await noteFound(store, "replaced", by);
    return failure(keyNeeded("replaced"));
  }
  if (next !== undefined) return disagree(context, record);
  // The holder of the key has said that it was replaced: no server takes that back, only a person.
  if (replacement !== null) return failure(keyNeeded("replaced"));
  if (common < own.length) return append(context, keyContext, own, common);
  await noteFound(store, "ready");
  return null;
}

async function disagree(
  { store }: PullContext,
  { replacement }: KeysRecord,
): Promise<FollowResult> {
  await noteFound(store, replacement === null ? "disagrees" : "replaced", replacement);
  return failure(keyError("keys-disagree"));
}

/** Gives a server that went back the records that it lacks. */
async function append(
  context: PullContext,
  { keys }: KeyContext,
  own: readonly AccountKey[],
  first: number,
): Promise<FollowResult> {
  for (let index = first; index < own.length; index++) {
    const before = keys.findKey(own[index - 1]?.keyId ?? "");
    const pushed = await appendKey(context, own[index] as AccountKey, before);
    if (pushed.kind === "failed") return pushed;
    if (pushed.kind === "taken") return "again";
  }
  return "again";
}

/** For a device that holds no key of the account: one that it made, or that a person entered, may be the last. */
async function findFirst(
  context: PullContext,
  keyContext: KeyContext,
  shown: readonly AccountKey[],
): Promise<FollowResult> {
  const { store } = context;
  const { keys } = keyContext;
  const { candidate } = keys.held();
  if (shown.length === 0) {
    await noteFound(store, "no-key");
    return failure(keyNeeded("no-key"));
  }
  const all = openLast(keyContext, shown);
  if (all !== null && isOfRecords(all, store.facts().keys)) {
    await adoptKeys(store, keyContext, shown, all);
    return null;
  }
  await noteFound(store, "key-elsewhere");
  if (isEntered(candidate, shown) && all === null) return failure(keyError("keys-disagree"));
  if (candidate !== null) await keys.setCandidate(null);
  return failure(keyNeeded("key-elsewhere"));
}

/** The keys of a list that ends with a key which this device holds or a person entered; null of any other list. */
function openLast({ keys, encryption }: KeyContext, shown: readonly AccountKey[]): DataKeys | null {
  const { candidate } = keys.held();
  const key = isEntered(candidate, shown) ? candidate : keys.findKey(shown.at(-1)?.keyId ?? "");
  return key && encryption.takeOverList(shown, key);
}

function isEntered(candidate: DataKey | null, shown: readonly AccountKey[]): boolean {
  return candidate !== null && candidate.id === shown.at(-1)?.keyId;
}

/** Whether the keys are of the account that names everything alike, and know a key of the device. */
export function isOfAccount(all: DataKeys, account: readonly DataKey[]): boolean {
  const ids = new Set(all.map(({ id }) => id));
  return all[0].id === account[0]?.id && account.some(({ id }) => ids.has(id));
}

/** Of a device that has lost its keys, only the records are left to tell the account. */
export function isOfRecords(all: DataKeys, { list }: KeysRecord): boolean {
  const ids = new Set(all.map(({ id }) => id));
  return list.length === 0 || list.some(({ keyId }) => ids.has(keyId));
}

function countCommon(own: readonly AccountKey[], shown: readonly AccountKey[]): number {
  const different = own.findIndex((record, index) => !isSameRecord(record, shown[index]));
  return different === -1 ? own.length : different;
}

function isSameRecord(one: AccountKey, other: AccountKey | undefined): boolean {
  return (
    one.keyId === other?.keyId &&
    one.write === other.write &&
    one.keys === other.keys &&
    one.from === other.from
  );
}
