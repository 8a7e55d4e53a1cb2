/**
 * What the sync client asks of the keys of a device. Like `encryption.ts` it holds types only: the management
 * of keys comes with `createEncryption`.
 */
import type { DeviceEncryption } from "./encryption.ts";
import type { KeysRecord } from "./keys-record.ts";
import type { LocalStore } from "./local-store.ts";
import type { PullContext } from "./pull.ts";
import type { RecordForm } from "./record-form.ts";
import type { RequestFailure } from "./request.ts";
import type {
  CreateKeyResult,
  KeyState,
  RotateKeyResult,
  SyncClientError,
  UseKeyResult,
} from "./results.ts";

/** What `createEncryption` returns. Apps pass it on and call nothing of it. */
export interface SyncEncryption extends DeviceEncryption {
  /** `onChange` is called when this client has changed what the device holds. */
  openKeys(onChange: () => void): ClientKeys;
}

export interface ClientKeys {
  /** Reads what this tab or another one has stored; returns the form of the device's records, null without keys. */
  load(deviceId: string, record: KeysRecord): Promise<RecordForm | null>;
  /** The error of a device that cannot sync before a person makes or enters a key; null of any other. */
  findNeed(record: KeysRecord): SyncClientError | null;
  /** Takes over what another tab has stored, or the keys of the device that this one has become. */
  takeOver(store: LocalStore): Promise<void>;
  /** Compares the account's list with the device's. Null when the device holds the account's key. */
  begin(context: PullContext): Promise<RequestFailure | null>;
  /** The list is to be asked for again: something of the server does not fit it. */
  forget(): void;
  /** The id of the account's key, as the device knows it. */
  keyId(record: KeysRecord): string | null;
  /** What proves that key to a server. */
  proof(record: KeysRecord): string;
  /** Removes the keys from the device; returns the function that puts them back. */
  remove(): Promise<() => Promise<void>>;
  createClientEncryption(client: KeyClient): ClientEncryption;
}

/** What the methods of `client.encryption` use of the client. */
export interface KeyClient {
  readonly store: LocalStore;
  readonly rounds: KeyRounds;
  /** Runs the work while no round is in progress, in any tab; rejects when the client is closed. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  readonly closing: AbortSignal;
  /** What failed before may work now. */
  readonly onUnlock: () => void;
}

interface KeyRounds {
  prepare(): Promise<(PullContext & { readonly kind: "context" }) | RequestFailure>;
  run(): Promise<{ readonly kind: "synced" } | RequestFailure>;
}

/** How a person makes, enters and replaces the key of the account. */
export interface ClientEncryption {
  /** Decides which screen an app shows; the same object until it changes. */
  readonly state: KeyState;
  /**
   * Makes the first key of an empty account. The person must keep the recovery key: without it, and
   * without a device that has it, the data cannot be read again.
   */
  createKey(): Promise<CreateKeyResult>;
  /** Takes the recovery key that another device shows; case, spaces and dashes do not matter. */
  useKey(recoveryKey: string): Promise<UseKeyResult>;
  /**
   * Replaces the key, such as after a device was lost; every other device then needs the new recovery key.
   * What was written before stays under the old key, because who has that could read it already.
   */
  rotateKey(): Promise<RotateKeyResult>;
  /** The recovery key, for a settings page; null without a key. */
  showRecoveryKey(): Promise<string | null>;
}
