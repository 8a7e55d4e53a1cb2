import type { OperationKind } from "../../contract/sync/operation-limits.ts";
import { notSignedIn } from "./check-server.ts";
import type { TransactionResult } from "../collections/collection.ts";
import { createCollections } from "../collections/create-collections.ts";
import type { SyncEncryption } from "./client-keys.ts";
import { ensureDevice } from "./device-record.ts";
import { createEditor, toEditResult } from "./edits.ts";
import type { Edit } from "./encode-edit.ts";
import { createEngine } from "./engine.ts";
import type { Fields } from "./entity.ts";
import { refuseEdit, storageError } from "./errors.ts";
import { readKeysRecord } from "./keys-record.ts";
import { openLocalStore, type LocalChange } from "./local-store.ts";
import { createObservable } from "./observable.ts";
import { createQuarantine } from "./quarantine.ts";
import type { EditResult, SignInResult } from "./results.ts";
import { listDeleted } from "./restore.ts";
import { createRounds } from "./round.ts";
import { isSameValue } from "./same-value.ts";
import { createStoredIndexes } from "./stored-indexes.ts";
import { readSyncSettings } from "./read-settings.ts";
import type { SyncSettings } from "./settings.ts";
import { beginSignIn, completeSignIn } from "./sign-in.ts";
import { eraseWithKeys, signOut } from "./sign-out.ts";
import type { EncryptedSyncClient, SyncClient, SyncClientOptions } from "./sync-client.ts";
import { openTabs, type Activity, type TabMessage } from "./tabs.ts";
import { createTokens } from "./tokens.ts";

/**
 * Opens the app's data on this device, and syncs it once a person has signed in. It throws on an invalid
 * option, and a `PlatformError` where the platform lacks WebCrypto or a storage that opens; later failures
 * are results.
 * @returns the client; with `encryption`, its `encryption` has the commands for the key
 * @example
 * ```ts
 * import { createIndexedDbStorage, createSyncClient } from "trellis/client";
 *
 * const client = await createSyncClient({
 *   baseUrl: "https://sync.example.com",
 *   redirectUri: "https://app.example.com/callback",
 *   storage: createIndexedDbStorage("tasks"),
 * });
 * const tasks = client.collection<{ title: string; done: boolean }>("task", {});
 * const created = await tasks.create({ title: "Buy milk", done: false });
 * if (created.kind === "refused") console.warn(created.message);
 * client.subscribe(() => console.log(client.getSnapshot().status.kind, tasks.list()));
 * ```
 */
export function createSyncClient(
  options: SyncClientOptions & Required<Pick<SyncClientOptions, "encryption">>,
): Promise<EncryptedSyncClient>;
export function createSyncClient(options: SyncClientOptions): Promise<SyncClient>;
export async function createSyncClient(
  options: SyncClientOptions,
): Promise<SyncClient | EncryptedSyncClient> {
  const parts = await openParts(readSyncSettings(options), options.encryption);
  const { settings, store, observable, engine, rounds, keys } = parts;
  const submit = createSubmit(parts);
  const edit = async (
    kind: OperationKind,
    entityId: string,
    payload: Fields | null,
    metadata: Fields = {},
  ): Promise<EditResult> => {
    const result = await submit([{ kind, entityId, payload, metadata }], false);
    return result.kind === "stored" ? toEditResult(result) : result;
  };
  const deleted = (type?: string) => listDeleted(store, type);
  let closed: Promise<void> | null = null;
  return {
    get deviceId() {
      return store.facts().deviceId;
    },
    loaded: store.loaded,
    entities: {
      get: (entityId) => store.facts().entities.get(entityId),
      list: (type) => store.facts().entities.list(type),
    },
    create: (entityId, payload, metadata) => edit("create", entityId, payload, metadata),
    patch: (entityId, payload, metadata) => edit("patch", entityId, payload, metadata),
    remove: (entityId) => edit("delete", entityId, {}),
    restore: (entityId, payload, metadata) => edit("restore", entityId, payload ?? null, metadata),
    deleted,
    ...createCollections({
      deleted,
      loaded: store.loaded,
      isLoaded: store.isLoaded,
      observable,
      indexes: createStoredIndexes(store),
      entities: () => store.facts().entities,
      deviceId: () => store.facts().deviceId,
      randomBytes: settings.randomBytes,
      profile: settings.profile,
      submit,
    }),
    subscribe: observable.subscribe,
    getSnapshot: observable.getSnapshot,
    get status() {
      return observable.getSnapshot().status;
    },
    ...createSession(parts),
    sync: engine.sync,
    ...(keys !== null && {
      encryption: keys.createClientEncryption({
        store,
        rounds,
        between: engine.between,
        closing: parts.closing.signal,
        onUnlock: engine.restart,
      }),
    }),
    quarantine: createQuarantine(store, settings.profile, engine.sync),
    unreadable: { list: store.unreadable },
    close: () => (closed ??= closeParts(parts)),
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts(settings: SyncSettings, encryption: SyncEncryption | undefined) {
  const closing = new AbortController();
  const { signal } = closing;
  const onKeys = () => {
    observable.notify([]);
    tabs.post({ kind: "keys" });
  };
  const keys = encryption?.openKeys(onKeys) ?? null;
  const observable = createObservable(
    () => store.facts(),
    () => keys?.findNeed(store.facts().keys) ?? null,
  );
  // The channel is open before the records are read, so that no change of another tab is missed.
  const opened = Promise.withResolvers<void>();
  const receive = (message: TabMessage) =>
    void opened.promise.then(() => onMessage(parts, message));
  const tabs = openTabs(settings.tabs, settings.storage.name, signal, receive);
  const onWrite = ({ entityIds, recordIds, write }: LocalChange) => {
    observable.notify(entityIds);
    tabs.post({ kind: "written", recordIds, write });
  };
  const onActivity = (activity: Activity) => {
    observable.setActivity(activity);
    tabs.post({ kind: "activity", activity });
  };
  const openStore = async () => {
    const { deviceId } = await ensureDevice(settings);
    const record = await settings.storage.transaction("read", async (transaction) => {
      await encryption?.refuseFormer(transaction);
      return readKeysRecord(transaction);
    });
    const form = (await keys?.load(deviceId, record)) ?? null;
    return openLocalStore({
      ...settings,
      form,
      onWrite,
      onLoad: () => observable.notify(null),
    });
  };
  const store = await openStore().catch((error: unknown) => {
    tabs.close();
    throw error;
  });
  const tokens = createTokens(settings, store, tabs, signal);
  const rounds = createRounds(settings, store, tokens, keys, signal);
  const engine = createEngine({ settings, store, tokens, rounds, tabs, onActivity });
  const parts = { settings, closing, observable, tabs, store, tokens, rounds, engine, keys };

  const platform = globalThis as Partial<EventTarget>;
  settings.storage.onClosed?.(() => void store.catchUp().catch(() => {}));
  platform.addEventListener?.("online", () => engine.restart(), { signal });
  opened.resolve();
  tabs.lead(() => engine.lead());
  tabs.post({ kind: "hello" });
  return parts;
}

async function closeParts({ closing, engine, store, tabs }: Parts): Promise<void> {
  closing.abort();
  try {
    await engine.stop();
    await store.close();
  } finally {
    tabs.close();
  }
}

async function onMessage(parts: Parts, message: TabMessage): Promise<void> {
  const { closing, observable, tabs, store, engine, keys } = parts;
  if (closing.signal.aborted) return;
  switch (message.kind) {
    case "activity":
      return observable.setActivity(message.activity);
    case "hello":
      // Tabs that do not lead know the activity only from the leader.
      if (engine.isLeading()) tabs.post({ kind: "activity", activity: observable.activity() });
      return;
    case "written":
      return showChange(parts, async () => {
        const { keys: before } = store.facts();
        const entityIds = await store.refresh(message.recordIds, message.write);
        if (keys === null || isSameValue(before, store.facts().keys)) return entityIds;
        await keys.takeOver(store);
        return null;
      });
    case "erased":
      return showChange(parts, async () => {
        await store.reload();
        await keys?.takeOver(store);
        return null;
      });
    case "keys":
      return showChange(parts, async () => {
        await keys?.takeOver(store);
        return null;
      });
  }
}

async function showChange(
  { store, observable, engine }: Parts,
  read: () => Promise<readonly string[] | null>,
): Promise<void> {
  const { session } = store.facts();
  // A storage that fails is reported by the next edit or round.
  const entityIds = await read().catch(() => []);
  observable.notify(entityIds);
  if (store.facts().session === session) engine.onEdit();
  else engine.restart();
}

function createSubmit({ settings, closing, store, engine }: Parts) {
  const apply = createEditor(store, settings);
  return async (edits: readonly Edit[], together: boolean): Promise<TransactionResult> => {
    if (closing.signal.aborted)
      return refuseEdit("closed", "the sync client is closed: create another one");
    const result = await apply(edits, together);
    if (result.kind === "stored") engine.onEdit();
    return result;
  };
}

function createSession(
  parts: Parts,
): Pick<SyncClient, "beginSignIn" | "completeSignIn" | "signOut"> {
  const { settings, closing, store, tokens, tabs, engine, keys } = parts;
  const { signal } = closing;
  /** A code works once, and an app may call twice: the strict mode of React runs effects twice. */
  const signIns = new Map<string, Promise<SignInResult>>();

  const notStored = (cause: unknown) => notSignedIn(storageError(cause));

  /** Between rounds, of which one that learns a key would leave it on the erased device. */
  const eraseAll = (discardUnsent: boolean) =>
    keys === null
      ? store.erase(discardUnsent)
      : engine.between(() => eraseWithKeys(store, keys, discardUnsent));

  async function complete(callbackUrl: string): Promise<SignInResult> {
    const result = await completeSignIn(settings, store, callbackUrl, signal).catch(notStored);
    signIns.delete(callbackUrl);
    if (result.kind === "signed-in") engine.restart();
    return result;
  }

  return {
    beginSignIn: (given = {}) => beginSignIn(settings, store, given, signal).catch(notStored),
    completeSignIn(callbackUrl) {
      const result = signIns.get(callbackUrl) ?? complete(callbackUrl);
      signIns.set(callbackUrl, result);
      return result;
    },
    async signOut(given = {}) {
      const result = await signOut(store, tokens, eraseAll, given, signal).catch(
        (cause: unknown) => ({ kind: "not-signed-out", error: storageError(cause) }) as const,
      );
      if (result.kind === "not-signed-out") return result;
      if (given.erase === true) tabs.post({ kind: "erased" });
      engine.restart();
      return result;
    },
  };
}
