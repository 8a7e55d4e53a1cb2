/** What the methods of the sync client return. Expected failures are values; only bugs throw. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { RecoveryReason } from "../../contract/sync/values.ts";
import type { KeyOrigin } from "../encryption/account-key-list.ts";
import type { EntityView } from "./entity-view.ts";

/**
 * What an edit came to: durable on this device, or refused with a reason for the app and a message for its
 * log.
 */
export type EditResult =
  /** The edit is durable on this device; it is sent when the server can be reached. */
  | { readonly kind: "stored"; readonly operationId: string }
  | {
      readonly kind: "refused";
      /** A stable code: `EditErrorCode`, or that of the rule which the server would refuse the operation by. */
      readonly reason: string;
      /** The path of what is wrong, and what was expected. */
      readonly message: string;
      /** The field that is wrong, such as `due` or `address.street`, where one is. */
      readonly path?: string;
    };

/** Why the client itself refused an edit. */
export type EditErrorCode =
  | "entity_not_found"
  | "entity_exists"
  | "not_deleted"
  | "not_json"
  | "metadata_name"
  | "storage_failed"
  | "storage_lost"
  | "closed"
  /** Of a retry. */
  | "operation_not_found"
  /** Of a collection. */
  | "schema"
  | "unknown_field"
  | "field_kind"
  | "evolve"
  | "set_element"
  | "count"
  | "order_place"
  | "transaction_too_large";

/** The message is for the person who meets the error. */
type WithMessage<E> = E & { readonly message: string };

/**
 * Why a round of sync, or a request of a sign-in, failed. The client tries again by itself where that helps.
 */
export type SyncClientError = WithMessage<
  /** No connection, or none to this server. `code` is the platform's, such as `ENOTFOUND`. */
  | { readonly kind: "unreachable"; readonly code: string | null }
  | { readonly kind: "timeout" }
  | { readonly kind: "rate-limited" }
  /** The server or a proxy failed: 500 to 599. */
  | { readonly kind: "server-error"; readonly status: number; readonly code: string | null }
  /** The server refuses the request itself, so repeating it will not help; `code` is its error. */
  | { readonly kind: "request-refused"; readonly status: number; readonly code: string | null }
  /** The storage that the operator allows the account is used up; changes stay in the queue. */
  | { readonly kind: "quota-exceeded" }
  /** A proxy or a login page of the network responded, or a server of another protocol. */
  | { readonly kind: "not-a-sync-server"; readonly status?: number }
  /** The server has other rules than this app: nothing is sent, so that nothing is refused. */
  | {
      readonly kind: "profile-mismatch";
      readonly serverProfile: string;
      readonly appProfile: SyncProfile;
    }
  /** The server sent an operation that this version of the client cannot read. */
  | { readonly kind: "unreadable-page" }
  /** The log of the server changed again and again while it was read from the start. */
  | { readonly kind: "unstable-log" }
  /** The server sends pages again that the client had in this round. */
  | { readonly kind: "endless-log" }
  /** The server has more pages than a round takes; the next round goes on. */
  | { readonly kind: "long-log" }
  /** The server sent a sequence after which no device could count further. */
  | { readonly kind: "exhausted-log" }
  | { readonly kind: "storage-failed" }
  /**
   * The records of this device were removed while the client was open; a sign-in brings back what was sent.
   * `unsent` edits are gone; an edit that notices it does not know how many.
   */
  | { readonly kind: "storage-lost"; readonly unsent?: number }
  /** The device has no key of the account, or one that was replaced: see `encryption.useKey`. */
  | { readonly kind: "key-needed" }
  /** The server shows other keys than this device has: another account's, or a forgery. */
  | { readonly kind: "keys-disagree" }
  /** The app encrypts, and its storage has data that was synced in the clear: see `copyEntities`. */
  | { readonly kind: "data-in-the-clear" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "sign-in-needed" }
  | { readonly kind: "closed" }
>;

/** What a round of sync came to: how much was sent and received, or why it failed. */
export type SyncResult =
  | {
      readonly kind: "synced";
      /** Operations that the server received, and that came from it. */
      readonly pushed: number;
      readonly pulled: number;
      /** Operations that the server refused. */
      readonly quarantined: number;
      /** Why the device read the log from the start; null when it did not. */
      readonly recovered: RecoveryReason | null;
    }
  | { readonly kind: "not-synced"; readonly error: SyncClientError };

/** The state of sync as one word, for which an app has an icon or a sentence. */
export type StatusKind =
  | "signed-out"
  | "up-to-date"
  | "syncing"
  | "offline"
  /** The client has something to send or to ask for, and will do so by itself. */
  | "waiting"
  | "sign-in-needed"
  /** The device lacks the key of the account: nothing is sent or taken in until `encryption.useKey`. */
  | "key-needed"
  /** The server refused edits of this device: see `quarantine`. */
  | "needs-attention"
  /** The client goes on trying, but `problem` will not go away by itself. */
  | "blocked"
  /** The data of this device was removed while the client was open; a sign-in brings it back. */
  | "storage-lost";

/** The state of sync to show: its kind, how many edits wait, and the problem if there is one. */
export interface SyncStatus {
  readonly kind: StatusKind;
  /** How many operations the server has not received yet. */
  readonly pending: number;
  /** How many refused operations are in `quarantine`, to be retried or discarded. */
  readonly quarantined: number;
  /** Milliseconds since the epoch; null before the first complete round. */
  readonly lastSyncedAt: number | null;
  readonly problem?: SyncClientError;
}

/**
 * All that an app shows at one moment: its entities and the state of sync. It is the same object until
 * something changes.
 */
export interface SyncSnapshot {
  readonly entities: EntityView;
  readonly status: SyncStatus;
}

/** What beginning a sign-in came to: the address to open, or why there is none. */
export type BeginSignInResult =
  /** The app opens this address in a browser. */
  { readonly kind: "begun"; readonly url: string } | NotSignedIn;

/** What completing a sign-in came to: the id of this device, or why it is not signed in. */
export type SignInResult = { readonly kind: "signed-in"; readonly deviceId: string } | NotSignedIn;

/** A sign-in that failed, with its error. */
export interface NotSignedIn {
  /** Tells a failed sign-in from `begun` and `signed-in`. */
  readonly kind: "not-signed-in";
  readonly error: SignInError;
}

/** Why a sign-in failed. The message is for a log; an app has its own words for each kind. */
export type SignInError =
  | WithMessage<
      /** The address is not the redirect URI of this client. */
      | { readonly kind: "not-the-callback" }
      /** The server does not list the redirect URI of this client. */
      | { readonly kind: "redirect-not-listed" }
      /** The server does not respond to this page, although its sign-in page works: it lacks the page's origin. */
      | { readonly kind: "cors-missing"; readonly origin: string }
      /** No sign-in of this device has begun with this state: it is old, finished, or an attack. */
      | { readonly kind: "unknown-attempt" }
      /** The device has data of another server, which may be another person's: see `moveData`. */
      | { readonly kind: "another-server" }
      | { readonly kind: "missing-code" }
      /** The code has expired or was used: begin again. */
      | { readonly kind: "code-refused" }
      /** As many other devices are signed in as the operator allows: sign one out, then begin again. */
      | { readonly kind: "too-many-devices" }
    >
  | SyncClientError;

/** What a sign-out came to, and how many devices were signed out with this one. */
export type SignOutResult =
  /** `revoked` counts the sessions that the server ended; null when it was not reached. */
  | { readonly kind: "signed-out"; readonly revoked: number | null }
  /** The data is as it was, so that the app can try again. */
  | { readonly kind: "not-signed-out"; readonly error: SignOutError };

/** Why a sign-out was refused, such as edits that were not sent yet. */
export type SignOutError =
  /** `erase` would lose `count` edits that the server does not have; `discardUnsent` allows it. */
  WithMessage<{ readonly kind: "unsent-edits"; readonly count: number }> | SyncClientError;

/** Which screen an app with encryption shows. */
export type KeyState =
  /** The server was not asked yet whether the account has a key. */
  | { readonly kind: "unknown" }
  /** The account has none: offer to make it. */
  | { readonly kind: "no-key" }
  /** Another device made it: offer to enter it. */
  | { readonly kind: "key-elsewhere" }
  /** The key that this device has is the account's no longer; `by` is null when no holder of the key has said so. */
  | { readonly kind: "replaced"; readonly by: KeyOrigin | null }
  | { readonly kind: "ready" };

/** Why no key could be made, entered or replaced, where the reason has no name of its own. */
export interface KeyFailure {
  /** The same as in a `KeyRefusedResult`. */
  readonly kind: "refused";
  /** Says that the cause is in `error`. */
  readonly reason: "failed";
  readonly error: SyncClientError;
}

/** Why a command about the key of an account was refused, and changed nothing. */
export interface KeyRefusedResult<Reason extends string> {
  /** Tells a refused command from `created`, `unlocked` and `rotated`. */
  readonly kind: "refused";
  /** The name of the reason, for which an app has a sentence of its own. */
  readonly reason: Reason;
}

/** What creating the key of an account came to. Show the recovery key once, and let the person keep it. */
export type CreateKeyResult =
  /** The person must keep the recovery key: without it and without a device that has it, the data is lost. */
  | { readonly kind: "created"; readonly recoveryKey: string }
  /** `not-empty`: the account has data and no key: a device that has both signs in first. */
  | KeyRefusedResult<"key-exists" | "not-empty" | "sign-in-first" | "offline">
  | KeyFailure;

/** What entering a recovery key came to. */
export type UseKeyResult =
  /** `checked` is false while the server could not be asked; nothing is sent until it was. */
  | { readonly kind: "unlocked"; readonly checked: boolean }
  /** `other-account`: the key is of another account than the data of this device. */
  | KeyRefusedResult<"typing-error" | "other-key" | "other-account">
  /** The key was the account's before. */
  | (KeyRefusedResult<"replaced"> & { readonly by: KeyOrigin })
  | KeyFailure;

/** What replacing the key of an account came to; the recovery key is a new one. */
export type RotateKeyResult =
  /** Other devices need this recovery key, and the one before no longer works. */
  | { readonly kind: "rotated"; readonly recoveryKey: string }
  /** `replaced`: another device was faster; nothing has changed. */
  | KeyRefusedResult<"key-needed" | "replaced" | "sign-in-first" | "offline">
  | KeyFailure;

/** An operation that the server refused. Its change is shown on this device alone. */
export interface QuarantinedOperation {
  /** The id that `retry` and `discard` of `quarantine` take. */
  readonly operationId: string;
  /** The entity that the operation changes; the id is opaque while nothing of it could be decrypted. */
  readonly entityId: string;
  /** The stable code that the server gave for the refusal. */
  readonly reason: string;
  /** A sentence for the person: what happened, and what to do. */
  readonly message: string;
}

/** What sending a refused edit again came to. */
export type RetryResult =
  /** The server has the operation now. */
  | { readonly kind: "accepted"; readonly operationId: string }
  /** `stored`: the server was not reached, and the operation is queued again. */
  | EditResult;

/** What discarding a refused edit came to. */
export type DiscardResult =
  | { readonly kind: "discarded" }
  | { readonly kind: "not-found" }
  | Extract<EditResult, { kind: "refused" }>;
