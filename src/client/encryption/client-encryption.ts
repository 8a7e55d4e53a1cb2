/** `client.encryption`: how a person makes, enters and replaces the key of the account. */
import type { Revision } from "../../contract/sync/operation.ts";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { adoptKeys, isOfAccount, loadKeys, type KeyContext } from "./adopt-keys.ts";
import { checkKey, confirmKey } from "./check-key.ts";
import type { ClientEncryption, KeyClient } from "../sync/client-keys.ts";
import type { AccountKeys, KeyEntityResult } from "../sync/encryption.ts";
import { isOffline, storageError, syncError } from "../sync/errors.ts";
import { keepSent, readKeyOperations, takeRevision } from "./key-operations.ts";
import type { PullContext } from "../sync/pull.ts";
import { pushAlone, type PushAloneResult } from "../sync/push.ts";
import type { RequestFailure } from "../sync/request.ts";
import type {
  CreateKeyResult,
  KeyFailure,
  KeyRefusedResult,
  RotateKeyResult,
  UseKeyResult,
} from "../sync/results.ts";

type ClientEncryptionOptions = KeyClient & KeyContext;

export function createClientEncryption(options: ClientEncryptionOptions): ClientEncryption {
  const { encryption, keys, store, onUnlock } = options;

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
    createKey: () => run(() => createKey(options)),
    // An app in JavaScript may pass anything.
    async useKey(recoveryKey: unknown) {
      if (options.closing.aborted) return failed(syncError("closed"));
      const dataKey = encryption.readRecoveryKey(String(recoveryKey));
      return dataKey === null ? refused("typing-error") : run(() => useKey(options, dataKey));
    },
    rotateKey: () => run(() => rotateKey(options)),
    async showRecoveryKey() {
      const { account, isReplaced, candidate } = keys.held();
      // The rotation of this device may be the one that lost: a person should not print its key.
      const entered = candidate?.isMade === true ? null : candidate;
      const current = isReplaced ? entered : (account ?? candidate);
      return current === null ? null : encryption.toRecoveryKey(current.dataKey);
    },
  };
}

async function createKey(options: ClientEncryptionOptions): Promise<CreateKeyResult> {
  const { encryption, keys, store, rounds } = options;
  const { account, candidate } = keys.held();
  if (account !== null) return refused("key-exists");
  const context = await rounds.prepare();
  if (context.kind === "failed") return toRefusedResult(context);
  const clearError = await store.read(encryption.findClearError);
  if (clearError !== null) return failed(clearError);
  // An attempt whose response was lost may have made its key the account's.
  const dataKey = candidate?.isMade === true ? candidate.dataKey : encryption.createDataKey();
  const log = await checkKey(context, options, dataKey);
  if (log.kind === "failed") return toRefusedResult(log);
  if (log.keyEntity.kind === "account-key") {
    await adoptKeys(store, options, log.keyEntity.keys);
  } else {
    if (log.keyEntity.kind !== "missing") return refused("key-exists");
    if (!log.isEmpty) return refused("not-empty");
    const made = encryption.createAccountKeys(dataKey);
    const push = await pushKey(context, options, made, (revision) =>
      encryption.createKeyEntity(made, revision),
    );
    if (push.kind === "failed") return toRefusedResult(push);
    // An earlier attempt may have arrived since the log was read, and then its key is the account's.
    if (push.kind === "refused" && (await confirmKey(context, options)) !== null) {
      return push.reason === "key_exists" ? refused("key-exists") : notAccepted(push.reason);
    }
    if (push.kind === "stored") await adoptKeys(store, options, made);
  }
  return { kind: "created", recoveryKey: encryption.toRecoveryKey(dataKey) };
}

async function useKey(
  options: ClientEncryptionOptions,
  dataKey: Uint8Array,
): Promise<UseKeyResult> {
  const { encryption, keys, store } = options;
  const { account, isReplaced, candidate } = keys.held();
  const keyId = encryption.keyIdOf(dataKey);
  if (account?.keyId === keyId && !isReplaced) return { kind: "unlocked", checked: true };
  // A key that was replaced is the account's no longer, whatever a server shows.
  if (account?.keyId === keyId || account?.former.has(keyId) === true) return refused("other-key");
  const keyEntity = await findKeyEntity(options, dataKey);
  const error =
    keyEntity.kind === "failed" && keyEntity.error.kind === "profile-mismatch"
      ? keyEntity.error
      : await store.read(encryption.findClearError);
  if (error !== null) return failed(error);
  if (keyEntity.kind === "failed") {
    // A key that this device made may be the account's already, and is nowhere else.
    if (candidate?.isMade === true) return failed(keyEntity.error);
    await keys.save({ candidate: { dataKey, isMade: false } });
    return { kind: "unlocked", checked: false };
  }
  if (!isOfAccount(keyEntity, account)) return refused("other-key");
  await adoptKeys(store, options, keyEntity.keys);
  return { kind: "unlocked", checked: true };
}

/** What is stored on the device can be enough, such as when only its keys were lost. */
async function findKeyEntity(
  options: ClientEncryptionOptions,
  dataKey: Uint8Array,
): Promise<KeyEntityResult | RequestFailure> {
  const { encryption, keys, store, rounds } = options;
  const stored = encryption.readKeyEntity(await store.read(readKeyOperations), dataKey);
  if (isOfAccount(stored, keys.held().account)) return stored;
  const context = await rounds.prepare();
  const log = context.kind === "failed" ? context : await checkKey(context, options, dataKey);
  return log.kind === "failed" ? log : log.keyEntity;
}

async function rotateKey(options: ClientEncryptionOptions): Promise<RotateKeyResult> {
  const { encryption, keys, store, rounds } = options;
  // A round takes in a key that another device has made meanwhile.
  const round = await rounds.run();
  const context = round.kind === "failed" ? round : await rounds.prepare();
  if (context.kind === "failed") {
    return context.error.kind === "key-needed" ? refused("key-needed") : toRefusedResult(context);
  }
  const { account, candidate } = keys.held();
  if (account === null) return refused("key-needed");
  const dataKey = candidate?.isMade === true ? candidate.dataKey : encryption.createDataKey();
  const next = encryption.rotateAccountKeys(account, dataKey);
  const push = await pushKey(context, options, next, (revision) =>
    encryption.rotateKeyEntity(account, next, revision),
  );
  if (push.kind === "failed") return toRefusedResult(push);
  if (push.kind === "refused") return notAccepted(push.reason);
  await adoptKeys(store, options, next);
  return { kind: "rotated", recoveryKey: encryption.toRecoveryKey(dataKey) };
}

/**
 * The device keeps the key before it can become the account's, so that no person is ever locked out; also when
 * the server says no, because it may have taken the same key in an attempt whose response was lost.
 */
async function pushKey(
  { tokens, signal }: PullContext,
  { keys, store }: ClientEncryptionOptions,
  { dataKey }: AccountKeys,
  createText: (revision: Revision) => string,
): Promise<PushAloneResult> {
  await keys.save({ candidate: { dataKey, isMade: true } });
  const operation = parseOperation(createText(await store.write(takeRevision)));
  const push = await pushAlone(tokens, operation, signal);
  if (push.kind === "stored") await store.write((tx) => keepSent(tx, operation));
  return push;
}

function refused<Reason extends string>(reason: Reason): KeyRefusedResult<Reason> {
  return { kind: "refused", reason };
}

function failed(error: KeyFailure["error"]): KeyFailure {
  return { kind: "refused", reason: "failed", error };
}

function notAccepted(code: string): KeyFailure {
  return failed(syncError("request-refused", { status: 0, code }));
}

function toRefusedResult({
  error,
}: RequestFailure): KeyRefusedResult<"sign-in-first" | "offline"> | KeyFailure {
  if (error.kind === "signed-out" || error.kind === "sign-in-needed") {
    return refused("sign-in-first");
  }
  return isOffline(error) ? refused("offline") : failed(error);
}
