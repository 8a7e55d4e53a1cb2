/** The public API of the sync client. */
import type {
  CreateCollection,
  TransactionResult,
  TransactionWork,
} from "../collections/collection.ts";
import type { ClientEncryption, SyncEncryption } from "./client-keys.ts";
import type { StoredEntity, Fields } from "./entity.ts";
import type { Quarantine } from "./quarantine.ts";
import type { UnreadableOperation } from "./record-form.ts";
import type {
  BeginSignInResult,
  EditResult,
  SignInResult,
  SignOutResult,
  SyncResult,
  SyncSnapshot,
  SyncStatus,
} from "./results.ts";
import type { SyncOptions } from "./settings.ts";
import type { SignInOptions } from "./sign-in.ts";
import type { SignOutOptions } from "./sign-out.ts";

export interface SyncClientOptions extends SyncOptions {
  /** End-to-end encryption, from `createEncryption` of `trellis/client/encryption`; needs a sealed server. */
  readonly encryption?: SyncEncryption;
}

export interface SyncClient {
  readonly deviceId: string;
  /**
   * Resolves when all stored entities are readable, or the client is closed. The first 2,000 are
   * readable at once; the others follow, and subscribers are told. Edits and rounds need not wait.
   */
  readonly loaded: Promise<void>;
  /** The entities of one type, as an app's own types. */
  readonly collection: CreateCollection;
  /**
   * Stores the edits that the function makes together: all or none, in one transaction of the storage and
   * in one push. Refused above what the server last seen takes in a push, before that 100 edits and 256
   * KiB. What the function throws is thrown, and nothing is stored; the function cannot be asynchronous.
   */
  transaction(work: TransactionWork): Promise<TransactionResult>;

  readonly entities: {
    /** The visible entity: neither deleted nor without its create. */
    get(entityId: string): StoredEntity | undefined;
    /** Entities of one type, or all, ordered by entity id. */
    list(type?: string): readonly StoredEntity[];
  };
  create(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;
  /** Changes only the named fields. */
  patch(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;
  remove(entityId: string): Promise<EditResult>;
  /** Brings a deleted entity back: with this payload, or with every field that it ever had. */
  restore(entityId: string, payload?: Fields, metadata?: Fields): Promise<EditResult>;
  /**
   * Lists deleted entities of one type, or all, by entity id, with what `restore` brings back. Rejects
   * when the storage fails.
   */
  deleted(type?: string): Promise<readonly StoredEntity[]>;

  /** Calls back after every change of data or status; returns the function that ends it. */
  subscribe(listener: () => void): () => void;
  /** The snapshot is immutable, and the same object until something changes. */
  getSnapshot(): SyncSnapshot;
  readonly status: SyncStatus;

  /** Asks the server first, so that a wrong address or setting does not take the person away from the app. */
  beginSignIn(options?: SignInOptions): Promise<BeginSignInResult>;
  /** `callbackUrl` is the whole address that the browser was redirected to. */
  completeSignIn(callbackUrl: string): Promise<SignInResult>;
  signOut(options?: SignOutOptions): Promise<SignOutResult>;

  /** Runs one round now, also while the client waits after a failure. */
  sync(): Promise<SyncResult>;
  readonly quarantine: Quarantine;
  /** What this device cannot read of the server's operations: never shown, merged or sent on. */
  readonly unreadable: { list(): readonly UnreadableOperation[] };
  /** Ends what is in progress and closes the storage. */
  close(): Promise<void>;
}

/** The client of an app that gave the option `encryption`. */
export interface EncryptedSyncClient extends SyncClient {
  readonly encryption: ClientEncryption;
}
