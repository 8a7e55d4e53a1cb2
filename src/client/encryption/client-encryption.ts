/** `client.encryption`: how a person makes, enters and replaces the key of the account. */
import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { ClientEncryption, KeyClient } from "../sync/client-keys.ts";
import { isOffline, storageError, syncError } from "../sync/errors.ts";
import type { KeysRecord } from "../sync/keys-record.ts";
import { createPulledPages, requestPage } from "../sync/request-page.ts";
import type { RequestFailure } from "../sync/request.ts";
import type {
  CreateKeyResult,
  KeyFailure,
  KeyRefusedResult,
  KeyState,
  RotateKeyResult,
  UseKeyResult,
} from "../sync/results.ts";
import type { DataKeys } from "./account-key-list.ts";
import { toDataKey, type DataKey } from "./data-key.ts";
import { isOfAccount, isOfRecords } from "./follow-list.ts";
import { adoptKeys, loadKeys, type KeyContext } from "./key-context.ts";
import { keyError } from "./key-error.ts";
import { appendKey, fetchKeys } from "./key-routes.ts";
import { readRecoveryKey, toRecoveryKey } from "./recovery-key.ts";

interface ClientEncryptionOptions extends KeyClient, KeyContext {
  readonly toKeyState: (record: KeysRecord) => KeyState;
}

export function createClientEncryption(options: ClientEncryptionOptions): ClientEncryption {
  const { keys, store, onUnlock, toKeyState } = options;
  const state = () => toKeyState(store.facts().keys);

  /** The work sees what other tabs have stored. What the storage or the KeyStore throws is a result. */
  async function run<T extends { readonly kind: string }>(work: () => Promise<T>) {
    try {
      const result = await options.between(async () => {
        // Another tab may have erased the device: keys are for the one that this is now.
        await store.catchUp();
        await loadKeys(store, options);
        return work();
      });
      if (result.kind !== "refused") onUnlock();
      return result;
    } catch (cause) {
      return failed(options.closing.aborted ? syncError("closed") : storageError(cause));
    }
  }

  return {
    get state() {
      return state();
    },
    createKey: () => run(() => createKey(options, state())),
    // An app in JavaScript may pass anything.
    async useKey(recoveryKey: unknown) {
      if (options.closing.aborted) return failed(syncError("closed"));
      const bytes = readRecoveryKey(String(recoveryKey));
      if (bytes === null) return refused("typing-error");
      return run(() => useKey(options, toDataKey(bytes), state()));
    },
    rotateKey: () => run(() => rotateKey(options)),
    async showRecoveryKey() {
      const account = state().kind === "ready" ? keys.account(store.facts().keys) : null;
      const key = account?.at(-1) ?? keys.held().candidate;
      return key === null ? null : toRecoveryKey(key.bytes);
    },
  };
}

async function createKey(
  options: ClientEncryptionOptions,
  { kind }: KeyState,
): Promise<CreateKeyResult> {
  const { encryption, keys, store, rounds } = options;
  if (kind === "ready") return refused("key-exists");
  const context = await rounds.prepare();
  if (context.kind === "failed") return toRefusedResult(context);
  const clearError = await store.read(encryption.findClearError);
  if (clearError !== null) return failed(clearError);
  const shown = await fetchKeys(context);
  if (shown.kind === "failed") return toRefusedResult(shown);
  const made = keys.findKey(shown.list.at(-1)?.keyId ?? "");
  if (kind !== "replaced" && made !== null) return takeMade(options, shown.list, made);
  if (shown.list.length > 0) return refused("key-exists");
  const page = await requestPage(context, createPulledPages(), { cursor: null, epoch: 0 });
  if (page.kind === "failed") return toRefusedResult(page);
  if (page.kind === "lost-history" || page.operations.length > 0) return refused("not-empty");
  // On a device whose key a thief has replaced it begins a list that keeps all names, and what is sealed.
  const former = keys.account(store.facts().keys) === null ? [] : heldInOrder(options);
  // An attempt whose response was lost may arrive yet.
  const tried = former.length === 0 ? keys.held().keys.at(-1) : undefined;
  const key = tried ?? encryption.createDataKey();
  await keys.keep([...keys.held().keys, key]);
  const record = encryption.createKeyRecord(key, former, null);
  const appended = await appendKey(context, record, null);
  if (appended.kind === "failed") return toRefusedResult(appended);
  if (appended.kind === "taken") return refused("key-exists");
  return takeMade(options, [record], key);
}

/** An earlier attempt, or this one, has made the key the account's. */
async function takeMade(
  options: ClientEncryptionOptions,
  list: readonly AccountKey[],
  key: DataKey,
): Promise<CreateKeyResult> {
  const all = options.encryption.takeOverList(list, key);
  if (all === null) return failed(keyError("keys-disagree"));
  await adoptKeys(options.store, options, list, all);
  return { kind: "created", recoveryKey: toRecoveryKey(key.bytes) };
}

/** Every key that this device holds, the one that names everything first. */
function heldInOrder({ keys, store }: ClientEncryptionOptions): readonly DataKey[] {
  const account = keys.account(store.facts().keys) ?? [];
  const ids = new Set(account.map(({ id }) => id));
  const [first, ...others] = account;
  const rest = keys.held().keys.filter(({ id }) => !ids.has(id));
  return first === undefined ? rest : [first, ...rest, ...others];
}

async function useKey(
  options: ClientEncryptionOptions,
  key: DataKey,
  { kind }: KeyState,
): Promise<UseKeyResult> {
  const { encryption, keys, store, rounds } = options;
  const record = store.facts().keys;
  const account = keys.account(record);
  if (kind === "ready" && account?.at(-1)?.id === key.id) return unlocked(true);
  // Of a device that has lost its keys alone, the records tell enough, unless they say that the key was replaced.
  const isKnown = account === null && record.replacement === null;
  const own = isKnown ? encryption.takeOverList(record.list, key) : null;
  if (own !== null) {
    await adoptKeys(store, options, record.list, own);
    return unlocked(true);
  }
  const context = await rounds.prepare();
  const shown = context.kind === "failed" ? context : await fetchKeys(context);
  const isUnfit = shown.kind === "failed" && shown.error.kind === "profile-mismatch";
  const error = isUnfit ? shown.error : await store.read(encryption.findClearError);
  if (error !== null) return failed(error);
  if (shown.kind === "failed") {
    await keys.setCandidate(key);
    return unlocked(false);
  }
  const all = encryption.takeOverList(shown.list, key);
  if (all === null) return refuseKey(options, shown.list, key);
  const isOwn = account === null ? isOfRecords(all, record) : isOfAccount(all, account);
  if (!isOwn) return refused("other-account");
  await adoptKeys(store, options, shown.list, all);
  return unlocked(true);
}

/** Why a key is not that of the list. */
function refuseKey(
  { encryption }: ClientEncryptionOptions,
  list: readonly AccountKey[],
  key: DataKey,
): UseKeyResult {
  const index = list.findIndex(({ keyId }) => keyId === key.id);
  const next = list[index + 1];
  if (index === -1) return refused("other-key");
  const by = next === undefined ? null : encryption.openOrigin(next, key);
  return by === null ? failed(keyError("keys-disagree")) : { ...refused("replaced"), by };
}

async function rotateKey(options: ClientEncryptionOptions): Promise<RotateKeyResult> {
  const { encryption, keys, store, rounds } = options;
  // A round takes over a key that another device has made meanwhile.
  const round = await rounds.run();
  const context = round.kind === "failed" ? round : await rounds.prepare();
  if (context.kind === "failed") {
    return context.error.kind === "key-needed" ? refused("key-needed") : toRefusedResult(context);
  }
  const { list } = store.facts().keys;
  const account = keys.account(store.facts().keys);
  const before = account?.at(-1);
  if (account === null || before === undefined) return refused("key-needed");
  const key = encryption.createDataKey();
  // The device keeps the key before it can become the account's, so that no person is ever locked out.
  await keys.keep([...keys.held().keys, key]);
  const origin = { deviceId: store.facts().deviceId, at: toDateTime(context.settings.now()) };
  const record = encryption.createKeyRecord(key, account, origin);
  const appended = await appendKey(context, record, before);
  if (appended.kind === "failed") return toRefusedResult(appended);
  if (appended.kind === "taken") return refused("replaced");
  const all: DataKeys = [...account, key];
  await adoptKeys(store, options, [...list, record], all);
  return { kind: "rotated", recoveryKey: toRecoveryKey(key.bytes) };
}

function toDateTime(now: number): string {
  return new Date(now).toISOString();
}

function unlocked(checked: boolean): UseKeyResult {
  return { kind: "unlocked", checked };
}

function refused<Reason extends string>(reason: Reason): KeyRefusedResult<Reason> {
  return { kind: "refused", reason };
}

function failed(error: KeyFailure["error"]): KeyFailure {
  return { kind: "refused", reason: "failed", error };
}

function toRefusedResult({
  error,
}: RequestFailure): KeyRefusedResult<"sign-in-first" | "offline"> | KeyFailure {
  if (error.kind === "signed-out" || error.kind === "sign-in-needed") {
    return refused("sign-in-first");
  }
  return isOffline(error) ? refused("offline") : failed(error);
}
