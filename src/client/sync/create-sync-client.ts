import type { OperationKind } from "../../contract/sync/operation-limits.ts";
import { createEditor } from "./edits.ts";
import { createEngine } from "./engine.ts";
import type { Entity, Fields } from "./entity.ts";
import { storageError, syncError } from "./errors.ts";
import { openLocalStore } from "./local-store.ts";
import { discardOperation, retryOperation } from "./quarantine.ts";
import { refuse } from "./refuse-edit.ts";
import type {
  BegunSignIn,
  DiscardResult,
  EditResult,
  QuarantinedOperation,
  SignInResult,
  SignOutResult,
  SyncResult,
  SyncSnapshot,
  SyncStatus,
} from "./results.ts";
import { createRounds } from "./round.ts";
import { readSyncSettings, type SyncClientOptions } from "./settings.ts";
import { beginSignIn, completeSignIn, type SignInOptions } from "./sign-in.ts";
import { signOut, type SignOutOptions } from "./sign-out.ts";
import { toStatus } from "./status.ts";
import { openTabs, type Activity, type TabMessage } from "./tabs.ts";
import { createTokens } from "./tokens.ts";

export interface SyncClient {
  readonly deviceId: string;
  readonly entities: {
    /** The visible entity: neither deleted nor without its create. */
    get(entityId: string): Entity | undefined;
    /** Of one type, or all; ordered by entity id. */
    list(type?: string): readonly Entity[];
  };
  create(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;
  /** Only the named fields change. */
  patch(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;
  remove(entityId: string): Promise<EditResult>;
  /** Brings a deleted entity back, with this payload. */
  restore(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;

  /** Calls back after every change of data or status; returns the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Immutable, and the same object until something changes. */
  getSnapshot(): SyncSnapshot;
  readonly status: SyncStatus;

  beginSignIn(options?: SignInOptions): Promise<BegunSignIn>;
  /** `callbackUrl` is the whole address that the browser was redirected to. */
  completeSignIn(callbackUrl: string): Promise<SignInResult>;
  signOut(options?: SignOutOptions): Promise<SignOutResult>;

  /** One round now, also while the client waits after a failure. */
  sync(): Promise<SyncResult>;
  readonly quarantine: {
    list(): readonly QuarantinedOperation[];
    retry(operationId: string): Promise<EditResult>;
    discard(operationId: string): Promise<DiscardResult>;
  };
  /** Ends what is in progress and closes the storage. */
  close(): Promise<void>;
}

/** Throws on an invalid option and on a storage that cannot be opened; later failures are results. */
export async function createSyncClient(options: SyncClientOptions): Promise<SyncClient> {
  const settings = readSyncSettings(options);
  const { codec, deviceName, profile, randomBytes, storage } = settings;
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  let activity: Activity = { kind: "idle" };
  let snapshot: SyncSnapshot | null = null;
  let isLeading = false;

  const store = await openLocalStore({
    storage,
    codec,
    deviceName,
    randomBytes,
    onWrite: (entityIds) => {
      notify();
      tabs.post({ kind: "written", entityIds });
    },
  });
  const tabs = openTabs(
    settings.tabs,
    storage.name,
    closing.signal,
    (message) => void onMessage(message),
  );
  const tokens = createTokens(settings, store, tabs);
  const rounds = createRounds(settings, store, tokens, closing.signal);
  const engine = createEngine({
    settings,
    store,
    tokens,
    rounds,
    tabs,
    onActivity: (next) => {
      setActivity(next);
      tabs.post({ kind: "activity", activity: next });
    },
  });
  const applyEdit = createEditor({ store, profile, codec });

  function notify(): void {
    snapshot = null;
    for (const listener of listeners) callSafely(listener);
  }

  function setActivity(next: Activity): void {
    activity = next;
    notify();
  }

  async function onMessage(message: TabMessage): Promise<void> {
    if (closing.signal.aborted) return;
    switch (message.kind) {
      case "activity":
        return setActivity(message.activity);
      case "hello":
        // The others know it only from the leader.
        return isLeading ? tabs.post({ kind: "activity", activity }) : undefined;
      case "erased":
      case "written": {
        const { session } = store.facts();
        const isWritten = message.kind === "written";
        const refreshed = isWritten ? store.refresh(message.entityIds) : store.reload();
        await refreshed.catch(() => {});
        notify();
        if (store.facts().session === session) engine.onEdit();
        else engine.restart();
      }
    }
  }

  async function edit(
    kind: OperationKind,
    entityId: string,
    payload: Fields,
    metadata: Fields = {},
  ): Promise<EditResult> {
    if (closing.signal.aborted) return refuse("closed", "the sync client is closed");
    const result = await applyEdit({ kind, entityId, payload, metadata });
    if (result.kind === "stored") engine.onEdit();
    return result;
  }

  const getSnapshot = () =>
    (snapshot ??= Object.freeze({
      entities: store.facts().entities,
      status: toStatus(store.facts(), activity),
    }));
  const whenOnline = () => engine.restart();
  const platform = globalThis as Partial<EventTarget>;
  platform.addEventListener?.("online", whenOnline);
  tabs.lead(() => {
    isLeading = true;
    engine.lead();
  });
  tabs.post({ kind: "hello" });

  return {
    get deviceId() {
      return store.facts().deviceId;
    },
    entities: {
      get: (entityId) => store.facts().entities.get(entityId),
      list: (type) => store.facts().entities.list(type),
    },
    create: (entityId, payload, metadata) => edit("create", entityId, payload, metadata),
    patch: (entityId, payload, metadata) => edit("patch", entityId, payload, metadata),
    remove: (entityId) => edit("delete", entityId, {}),
    restore: (entityId, payload, metadata) => edit("restore", entityId, payload, metadata),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot,
    get status() {
      return getSnapshot().status;
    },
    beginSignIn: (given = {}) => beginSignIn(settings, store, given),
    async completeSignIn(callbackUrl) {
      const result = await completeSignIn(settings, store, callbackUrl, closing.signal).catch(
        (cause: unknown) => ({ kind: "not-signed-in", error: storageError(cause) }) as const,
      );
      if (result.kind === "signed-in") engine.restart();
      return result;
    },
    async signOut(given = {}) {
      const result = await signOut(store, tokens, given, closing.signal).catch(
        (cause: unknown) => ({ kind: "not-signed-out", error: storageError(cause) }) as const,
      );
      if (result.kind === "not-signed-out") return result;
      notify();
      if (given.erase === true) tabs.post({ kind: "erased" });
      engine.restart();
      return result;
    },
    sync: async () =>
      closing.signal.aborted ? { kind: "not-synced", error: syncError("closed") } : engine.sync(),
    quarantine: {
      list: () =>
        store.facts().quarantine.map(({ operationId, entityId, reason }) => ({
          operationId,
          entityId,
          reason,
        })),
      async retry(operationId) {
        const result = await store
          .write((transaction) => retryOperation(transaction, operationId, profile))
          .catch((cause: unknown) => refuse("storage_failed", storageError(cause).message));
        if (result.kind === "stored") engine.onEdit();
        return result;
      },
      discard: (operationId) =>
        store
          .write((transaction) => discardOperation(transaction, operationId))
          .catch((cause: unknown) => refuse("storage_failed", storageError(cause).message)),
    },
    async close() {
      if (closing.signal.aborted) return;
      platform.removeEventListener?.("online", whenOnline);
      closing.abort();
      await engine.stop();
      await store.close();
      tabs.close();
    },
  };
}

/** An error of the app's own listener must not stop the client. */
function callSafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
