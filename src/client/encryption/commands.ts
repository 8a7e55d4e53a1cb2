/** `client.encryption`: how a person makes, enters and replaces the key of the account. */
import { parseOperation } from "../../rules/sync/operation-text.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import type {
  AccountKeys,
  ClientEncryption,
  Failed,
  KeyEntityResult,
  KeyServer,
} from "../sync/encryption.ts";
import { isOffline, storageError, syncError } from "../sync/errors.ts";
import type {
  CreateKeyResult,
  KeyFailure,
  KeyRefusal,
  RotateKeyResult,
  UseKeyResult,
} from "../sync/results.ts";
import { createAccountKeys, createDataKey, rotateAccountKeys } from "./account-keys.ts";
import { adoptKeys, isOfAccount, type KeyContext } from "./adopt-keys.ts";
import { checkKey } from "./check-key.ts";
import { keyIdOf } from "./derived-keys.ts";
import { createKeyEntity, rotateKeyEntity } from "./key-entity.ts";
import { readKeyEntity } from "./read-key-entity.ts";
import { readRecoveryKey, toRecoveryKey } from "./recovery-key.ts";

/** `takeOver` reads what other tabs have stored. */
export function createCommands<F extends Failed>(
  context: KeyContext<F>,
  takeOver: () => Promise<void>,
): ClientEncryption {
  const { keys, client } = context;

  /** What the storage or the KeyStore throws is a result. */
  async function run<T extends { readonly kind: string }>(work: () => Promise<T>) {
    try {
      const result = await client.between(async () => {
        await takeOver();
        return work();
      });
      if (result.kind !== "refused") client.onUnlock();
      return result;
    } catch (cause) {
      return failed(client.closing.aborted ? syncError("closed") : storageError(cause));
    }
  }

  return {
    createKey: () => run(() => createKey(context)),
    async useKey(recoveryKey) {
      const dataKey = readRecoveryKey(recoveryKey);
      return dataKey === null ? refused("typing-error") : run(() => useKey(context, dataKey));
    },
    rotateKey: () => run(() => rotateKey(context)),
    async showRecoveryKey() {
      const { account, isReplaced, candidate } = keys.held();
      const current = isReplaced ? candidate : (account ?? candidate);
      return current === null ? null : toRecoveryKey(current.dataKey);
    },
  };
}

async function createKey<F extends Failed>(context: KeyContext<F>): Promise<CreateKeyResult> {
  const { account, candidate } = context.keys.held();
  if (account !== null) return refused("key-exists");
  const server = await context.client.prepare();
  if (server.kind === "failed") return toRefusal(server);
  // An attempt whose response was lost may have made its key the account's.
  const dataKey = candidate?.isMade === true ? candidate.dataKey : createDataKey();
  const log = await checkKey(context, server, dataKey);
  if (log.kind === "failed") return toRefusal(log);
  if (log.keyEntity.kind === "missing" && !log.isEmpty) return refused("not-empty");
  const made =
    log.keyEntity.kind === "missing"
      ? await makeKey(context, server, createAccountKeys(dataKey))
      : log.keyEntity;
  if (made.kind === "refused") return made;
  if (made.kind !== "account-key") return refused("key-exists");
  await adoptKeys(context, made.keys);
  return { kind: "created", recoveryKey: toRecoveryKey(dataKey) };
}

async function makeKey<F extends Failed>(
  context: KeyContext<F>,
  server: KeyServer<F>,
  keys: AccountKeys,
): Promise<
  Extract<KeyEntityResult, { kind: "account-key" }> | Extract<CreateKeyResult, { kind: "refused" }>
> {
  const push = await pushKey(context, server, keys, (at) => createKeyEntity(keys, at));
  if (push.kind === "failed") return toRefusal(push);
  if (push.kind === "stored") return { kind: "account-key", keys };
  return push.reason === "key_exists" ? refused("key-exists") : notAccepted(push.reason);
}

async function useKey<F extends Failed>(
  context: KeyContext<F>,
  dataKey: Uint8Array,
): Promise<UseKeyResult> {
  const { keys } = context;
  const { account, isReplaced } = keys.held();
  const keyId = keyIdOf(dataKey);
  if (account?.keyId === keyId && !isReplaced) return { kind: "unlocked", checked: true };
  // A key that was replaced is the account's no longer, whatever a server shows.
  if (account?.keyId === keyId || account?.former.has(keyId) === true) return refused("other-key");
  const keyEntity = await findKeyEntity(context, dataKey);
  if (keyEntity.kind === "failed") {
    await keys.save({ candidate: { dataKey, isMade: false } });
    return { kind: "unlocked", checked: false };
  }
  if (!isOfAccount(keyEntity, account)) return refused("other-key");
  await adoptKeys(context, keyEntity.keys);
  return { kind: "unlocked", checked: true };
}

/** What is stored on the device can be enough, such as when only its keys were lost. */
async function findKeyEntity<F extends Failed>(
  context: KeyContext<F>,
  dataKey: Uint8Array,
): Promise<KeyEntityResult | F> {
  const { keys, client } = context;
  const stored = readKeyEntity(await client.device.readKeyOperations(), dataKey);
  if (isOfAccount(stored, keys.held().account)) return stored;
  const server = await client.prepare();
  const log = server.kind === "failed" ? server : await checkKey(context, server, dataKey);
  return log.kind === "failed" ? log : log.keyEntity;
}

async function rotateKey<F extends Failed>(context: KeyContext<F>): Promise<RotateKeyResult> {
  const { keys, client } = context;
  // A round takes in a key that another device has made meanwhile.
  const round = await client.runRound();
  const server = round.kind === "failed" ? round : await client.prepare();
  if (server.kind === "failed") {
    return server.error.kind === "key-needed" ? refused("key-needed") : toRefusal(server);
  }
  const { account, candidate } = keys.held();
  if (account === null) return refused("key-needed");
  const dataKey = candidate?.isMade === true ? candidate.dataKey : createDataKey();
  const next = rotateAccountKeys(account, dataKey);
  const push = await pushKey(context, server, next, (at) => rotateKeyEntity(account, next, at));
  if (push.kind === "failed") return toRefusal(push);
  if (push.kind === "refused") return notAccepted(push.reason);
  await adoptKeys(context, next);
  return { kind: "rotated", recoveryKey: toRecoveryKey(dataKey) };
}

/** The device keeps the key before it can become the account's, so that nobody is ever locked out. */
async function pushKey<F extends Failed>(
  { keys, client: { device } }: KeyContext<F>,
  server: KeyServer<F>,
  { dataKey }: AccountKeys,
  createText: (revision: Revision) => string,
) {
  await keys.save({ candidate: { dataKey, isMade: true } });
  const operation = parseOperation(createText(await device.takeRevision()));
  const push = await server.push(operation);
  if (push.kind === "stored") await device.keep(operation, true);
  if (push.kind === "refused") await keys.save({ candidate: null });
  return push;
}

function refused<Reason extends string>(reason: Reason): KeyRefusal<Reason> {
  return { kind: "refused", reason };
}

function failed(error: KeyFailure["error"]): KeyFailure {
  return { kind: "refused", reason: "failed", error };
}

function notAccepted(code: string): KeyFailure {
  return failed(syncError("request-refused", { status: 0, code }));
}

function toRefusal({ error }: Failed): KeyRefusal<"sign-in-first" | "offline"> | KeyFailure {
  if (error.kind === "signed-out" || error.kind === "sign-in-needed") {
    return refused("sign-in-first");
  }
  return isOffline(error) ? refused("offline") : failed(error);
}
