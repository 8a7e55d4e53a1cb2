/** Devices of one account with encryption, and the log of a server that stores whatever it is given. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createEncryption } from "../../../src/client/encryption/index.ts";
import {
  createMemorySyncStorage,
  type EditResult,
  type Fields,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { createCollections } from "../../../src/client/collections/create-collections.ts";
import { createEditor } from "../../../src/client/sync/edits.ts";
import type { Edit } from "../../../src/client/sync/encode-edit.ts";
import type { ClearProfile } from "../../../src/contract/sync/operation-limits.ts";
import type { RecordForm } from "../../../src/client/sync/record-form.ts";
import { toDataKey, type DataKey } from "../../../src/client/encryption/data-key.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import { openLocalStore, type LocalStore } from "../../../src/client/sync/local-store.ts";
import { mergePage, readPlace } from "../../../src/client/sync/merge-page.ts";
import { createObservable } from "../../../src/client/sync/observable.ts";
import { readBatch } from "../../../src/client/sync/push-batch.ts";
import { acknowledge, quarantineOperations } from "../../../src/client/sync/push-queue.ts";
import { createQuarantine } from "../../../src/client/sync/quarantine.ts";
import { createStoredIndexes } from "../../../src/client/sync/stored-indexes.ts";
import { queueMissing, startOver } from "../../../src/client/sync/recovery.ts";
import { listDeleted } from "../../../src/client/sync/restore.ts";
import { readSyncSettings } from "../../../src/client/sync/read-settings.ts";
import { GREATEST_LIMITS } from "../../../src/client/sync/transfer-limits.ts";
import { parseOperation, scanOperation } from "../../../src/rules/sync/operation-text.ts";
import { validateSealed } from "../../../src/rules/sync/validate-operation.ts";

export const encryption = createEncryption({ keyStore: createMemoryKeyStore() });

export interface Account {
  readonly key: DataKey;
  /** The operations of the server, as texts. */
  readonly log: string[];
}

export function createAccount(): Account {
  return { key: encryption.createDataKey(), log: [] };
}

/** The form of a device that holds these keys, of which the last one seals and all are on the list. */
export function formOf(...keys: readonly [DataKey, ...DataKey[]]): RecordForm {
  const listedIds = new Set(keys.map(({ id }) => id));
  return encryption.createForm({ sealer: encryption.createSealer(keys), listedIds });
}

export function keyOf(byte: number): DataKey {
  return toDataKey(new Uint8Array(32).fill(byte));
}

/** As a page has it. */
function parsePulled(text: string) {
  const result = validateSealed(scanOperation(text));
  return result.kind === "valid" ? result.operation : parseOperation(text);
}

export interface DeviceOptions {
  readonly storage?: SyncStorage;
  /** Null for a device that waits for its key. */
  readonly form?: RecordForm | null;
  readonly profile?: ClearProfile;
}

export type Device = Awaited<ReturnType<typeof openDevice>>;

export async function openDevice(t: TestContext, account: Account, options: DeviceOptions = {}) {
  const { storage = createMemorySyncStorage(), profile = "open" } = options;
  const settings = readSyncSettings({
    baseUrl: "https://sync.example.com",
    redirectUri: "https://app.example.com/callback",
    storage,
    profile,
    encryption,
    tabs: null,
  });
  const observable = createObservable(
    () => store.facts(),
    () => null,
  );
  const writes: number[] = [];
  const store: LocalStore = await openLocalStore({
    ...settings,
    form: options.form === undefined ? formOf(account.key) : options.form,
    onWrite: ({ entityIds, write }) => {
      writes.push(write);
      observable.notify(entityIds);
    },
    onLoad: () => observable.notify(null),
  });
  t.after(() => store.close());
  const isLocked = store.form().kind === "locked";
  await store.write(async (tx) => isLocked || tx.setKeyId(account.key.id));
  const submit = createEditor(store, settings);

  async function edit(
    kind: Edit["kind"],
    entityId: string,
    payload: Fields | null = {},
    metadata: Fields = {},
  ): Promise<EditResult> {
    const result = await submit([{ kind, entityId, payload, metadata }], false);
    return result.kind === "refused"
      ? result
      : { kind: "stored", operationId: result.operationIds[0] ?? "" };
  }

  /** Takes what the log has behind the cursor, or these texts in its place. */
  async function pull(texts = account.log): Promise<void> {
    const place = await store.read(readPlace);
    const operations = texts.slice(place.offset ?? 0).map(parsePulled);
    const page = { operations, cursor: `c${texts.length}`, offset: texts.length };
    assert.ok(await store.write((transaction) => mergePage(transaction, place, page)));
  }

  /** What waits, sealed as a round seals it. */
  async function readSealed() {
    const waiting = await store.read((tx) => readBatch(tx, GREATEST_LIMITS));
    await store.write(async (tx) => tx.form.sealing?.seal(tx, waiting.operations));
    return store.read((tx) => readBatch(tx, GREATEST_LIMITS));
  }

  /** Appends what waits to the log; returns the texts. */
  async function push(): Promise<readonly string[]> {
    const { operations } = await readSealed();
    const texts = operations.map(({ text }) => text);
    account.log.push(...texts);
    await store.write((transaction) => acknowledge(transaction, operations, []));
    return texts;
  }

  return {
    storage,
    store,
    edit,
    submit,
    writes,
    pull,
    push,
    /** The device gets the account's key, or these. */
    unlock: (...keys: readonly [] | readonly [DataKey, ...DataKey[]]) => {
      const [first = account.key, ...others] = keys;
      const sealing = others.at(-1) ?? first;
      return store.unlock(formOf(first, ...others), (tx) => tx.setKeyId(sealing.id));
    },
    async sync(): Promise<void> {
      await pull();
      await push();
      await pull();
    },
    /** The server refuses what waits. */
    async refuse(reason: string): Promise<void> {
      const { operations } = await readSealed();
      const refused = operations.map((operation) => ({ operation, reason }));
      await store.write((transaction) => quarantineOperations(transaction, refused));
    },
    /** The log is another one: everything is read again, and what it lacks is queued. */
    async recover(texts = account.log): Promise<number> {
      const place = await store.read(readPlace);
      await store.write((transaction) => startOver(transaction, place));
      await pull(texts);
      return queueMissing(store);
    },
    quarantine: createQuarantine(store, profile, () => Promise.reject(new Error("No server"))),
    deleted: (type?: string) => listDeleted(store, type),
    unreadable: () => store.unreadable(),
    payloadOf: (entityId: string) => store.facts().entities.get(entityId)?.payload,
    shown: () =>
      Object.fromEntries(
        store
          .facts()
          .entities.list()
          .map(({ entityId, payload }) => [entityId, payload]),
      ),
    ...createCollections({
      loaded: store.loaded,
      isLoaded: store.isLoaded,
      observable,
      indexes: createStoredIndexes(store),
      entities: () => store.facts().entities,
      deviceId: () => store.facts().deviceId,
      deleted: (type) => listDeleted(store, type),
      randomBytes: settings.randomBytes,
      profile,
      submit,
    }),
  };
}

/** Every key and value of a storage. */
export function dump(storage: SyncStorage): Promise<string> {
  return storage.transaction("read", async (transaction) => {
    const records = await transaction.list({ from: "!", below: "~~", limit: 2 ** 31 - 1 });
    return records.flat().join("\n");
  });
}

export async function idOf(result: Promise<EditResult>): Promise<string> {
  const settled = await result;
  assert.equal(settled.kind, "stored", JSON.stringify(settled));
  return settled.kind === "stored" ? settled.operationId : "";
}

export async function refusalOf(result: Promise<{ kind: string }>): Promise<unknown> {
  const settled = await result;
  return "reason" in settled ? settled.reason : settled.kind;
}
