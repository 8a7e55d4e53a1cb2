/**
 * What the sync client asks of the keys of a device. Like `encryption.ts` it holds types only: the management
 * of keys comes with `createEncryption`.
 */
import type { DeviceEncryption, Sealer } from "./encryption.ts";
import type { LocalStore } from "./local-store.ts";
import type { PullContext, ReviewPage } from "./pull.ts";
import type { RequestFailure } from "./request.ts";
import type { CreateKeyResult, RotateKeyResult, SyncClientError, UseKeyResult } from "./results.ts";

/** What `createEncryption` returns. Apps pass it on and call nothing of it. */
export interface SyncEncryption extends DeviceEncryption {
  /** `onChange` is called when this client has changed what the device holds. */
  openKeys(onChange: () => void): ClientKeys;
}

export interface ClientKeys {
  /** Reads what this tab or another one has stored. */
  load(deviceId: string): Promise<void>;
  /** Null before a key was checked. */
  sealer(): Sealer | null;
  /** The error of a device that cannot sync before a person makes or enters a key; null of any other. */
  findNeed(): SyncClientError | null;
  /** Takes over what another tab has stored, or the keys of the device that this one has become. */
  takeOver(store: LocalStore): Promise<void>;
  /** Confirms a key that was entered or made on this device. Null when the device holds the account's key. */
  confirm(context: PullContext): Promise<RequestFailure | null>;
  /** Returns the page without forgeries; a failure when nothing of it is to be taken in. */
  readonly review: ReviewPage;
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
