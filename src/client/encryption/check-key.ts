/** Holds a key that was never checked against the log, before anything is stored or sent. */
import type { Failed, KeyEntityResult, KeyServer } from "../sync/encryption.ts";
import { adoptKeys, isOfAccount, type KeyContext } from "./adopt-keys.ts";
import { isOfKeyEntity, readKeyEntity } from "./read-key-entity.ts";

export interface LogReport {
  readonly kind: "log";
  /** Whether the account has no operation, neither on the server nor on this device. */
  readonly isEmpty: boolean;
  readonly keyEntity: KeyEntityResult;
}

/**
 * Reads the log from its start, only as far as it takes to find that the key is the account's: the create of
 * the key entity is its first operation.
 */
export async function checkKey<F extends Failed>(
  { keys, client: { device } }: KeyContext<F>,
  server: KeyServer<F>,
  dataKey: Uint8Array,
): Promise<LogReport | F> {
  const operations = [...(await device.readKeyOperations())];
  let isEmpty = operations.length === 0;
  let keyEntity = readKeyEntity(operations, dataKey);
  const isFound = () => isOfAccount(keyEntity, keys.held().account);
  if (isFound()) return { kind: "log", isEmpty, keyEntity };
  for await (const page of server.readPages()) {
    if (page.kind === "failed") return page;
    isEmpty &&= page.operations.length === 0;
    operations.push(...page.operations.filter(isOfKeyEntity));
    keyEntity = readKeyEntity(operations, dataKey);
    if (isFound()) break;
  }
  return { kind: "log", isEmpty, keyEntity };
}

/** Confirms a key that was entered or made on this device. Null when the device holds the account's key. */
export async function confirmKey<F extends Failed>(
  context: KeyContext<F>,
  server: KeyServer<F>,
): Promise<F | null> {
  const { keys, client } = context;
  const { account, isReplaced, candidate } = keys.held();
  if (account !== null && !isReplaced) return null;
  if (candidate === null) return client.fail("key-needed");
  const report = await checkKey(context, server, candidate.dataKey);
  if (report.kind === "failed") return report;
  const { keyEntity } = report;
  if (isOfAccount(keyEntity, account)) {
    await adoptKeys(context, keyEntity.keys);
    return null;
  }
  // A server that was restored to before the key entity gets it back from a device that has it.
  if (keyEntity.kind !== "missing") await keys.save({ candidate: null });
  return client.fail("key-needed");
}
