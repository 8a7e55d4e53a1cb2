/** The public API of the sync client. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { SetTimer } from "../transport/deadline.ts";
import type { Fetch } from "../transport/request-text.ts";
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
import type { SignInOptions } from "./sign-in.ts";
import type { SignOutOptions } from "./sign-out.ts";
import type { SyncStorage } from "./storage.ts";
import type { TabApis } from "./tab-apis.ts";

/**
 * The settings of a sync client: the server, where sign-ins return to, and where the device stores its data.
 */
export interface SyncClientOptions {
  /** The address of the sync server, without `/v1`: https, or http on loopback for development. */
  readonly baseUrl: string;
  /** The redirect URI exactly as the server lists it. */
  readonly redirectUri: string;
  readonly storage: SyncStorage;
  /** The name of this device in the owner's list, where the server takes one; also part of the device's id. */
  readonly deviceName?: string;
  /** The rules that the app's data obeys, and those of the server unless it is sealed; `habits` by default. */
  readonly profile?: SyncProfile;
  /** Whether the server tells of changes, where it can; otherwise the client asks now and then. */
  readonly live?: boolean;
  /** How often the client asks without live changes. */
  readonly pollSeconds?: number;
  /** End-to-end encryption, from `createEncryption` of `trellis/client/encryption`; needs a sealed server. */
  readonly encryption?: SyncEncryption;
  readonly fetch?: Fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The bytes must be cryptographically strong. */
  readonly randomBytes?: RandomBytes;
  readonly setTimer?: SetTimer;
  /** What tabs of an app use to share one engine; those of the platform by default, null for none. */
  readonly tabs?: TabApis | null;
}

/**
 * Stores an app's data on the device and syncs it. Edits are durable at once and sent when the server can be
 * reached.
 */
export interface SyncClient {
  /** The id of this device; a sign-out that erases its data gives it a new one. */
  readonly deviceId: string;
  /**
   * Resolves when all stored entities are readable, or the client is closed. Up to 2,000 are readable at
   * once. Where there are more, they follow, and subscribers are notified; live queries have their first rows
   * before. Edits and rounds need not wait.
   */
  readonly loaded: Promise<void>;
  /** The entities of one type, as an app's own types. */
  readonly collection: CreateCollection;
  /**
   * Stores the edits that the function makes together: all or none, at most 1,000, in one transaction of the storage
   * and, where they fit one, in one push. Other devices show each push whole. What the function throws is thrown, and
   * nothing is stored; the function cannot be asynchronous.
   */
  transaction(work: TransactionWork): Promise<TransactionResult>;

  /** The visible entities of all types, with the edits that the server does not have yet. */
  readonly entities: {
    /** The visible entity: neither deleted nor without its create. */
    get(entityId: string): StoredEntity | undefined;
    /** Entities of one type, or all, ordered by entity id. */
    list(type?: string): readonly StoredEntity[];
  };
  /** Makes the entity with these fields; one that exists keeps its other fields. */
  create(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;
  /** Changes only the named fields. */
  patch(entityId: string, payload: Fields, metadata?: Fields): Promise<EditResult>;
  /** Deletes the entity; `restore` can bring it back. */
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
  /** Ends the session of this device; its data stays, unless `erase` removes it. */
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
