/** Why the sync client refuses an edit or fails, and what the app's maker or the person can do about it. */
import type {
  EditErrorCode,
  SignInError,
  SignOutError,
  SyncClientError,
} from "../../src/client/sync/results.ts";
import type { PlatformErrorReason } from "../../src/client/sync/platform-error.ts";
import type { ErrorHelp } from "./error-help.ts";

const BY_ITSELF = "nothing: the client continues by itself, and changes are stored";
const BEGIN_AGAIN = "begin the sign-in again";
const TELL_OPERATOR = "tell the operator; changes are stored";

export const EDIT_ERROR_HELP: Readonly<Record<EditErrorCode, ErrorHelp>> = {
  schema: {
    why: "the schema of the collection refuses the entity as it would be; `path` names the field",
    action: "correct the value; to widen the schema, give the field a default or make it optional",
  },
  unknown_field: {
    why: "the schema's output does not have the field, or it is called `id`",
    action:
      "correct the name, or add the field to the schema; give an id as `create(fields, { id })`",
  },
  field_kind: {
    why: "a counter, set or order was written like a plain field, or a call for one names another field",
    action: "use `increment`, `addTo`, `removeFrom` or `move`, and declare the field in `kinds`",
  },
  evolve: {
    why: "`write` of an evolved field threw, or gave something else than its older fields; `path` names the field",
    action: "mend `write`: it gets every value that the schema takes",
  },
  set_element: { why: "an element of a set is not well-formed text", action: "pass text" },
  count: {
    why: "a counter got no number, or its sum would be 2^53 or more",
    action: "pass a smaller number",
  },
  order_place: {
    why: "a place is not exactly one of first, last, before and after, or its neighbour is not in the list",
    action: "read the list again; the neighbour may have been removed",
  },
  transaction_too_large: {
    why: "a transaction has more than 1,000 edits",
    action: "make several; an import that ends in the middle goes on with what is missing",
  },
  entity_not_found: {
    why: "the device has no such entity, or it was removed",
    action: "use `create` or `upsert`; `restore` for a removed one",
  },
  entity_exists: {
    why: "`create` of a collection got an id that this device has; two devices may create the same id while offline",
    action: "use `upsert`, or `patch`",
  },
  not_deleted: {
    why: "a restore without fields would write those of the entity again, over edits that this device does not know",
    action: "restore what `client.deleted` lists; another device may have restored it already",
  },
  not_json: {
    why: "a value is not JSON, such as a `Date`, a `Blob`, a `Map` or `NaN`; the message has its path",
    action:
      "store a date as text or number; JSON has text, finite numbers, true, false, null, lists and plain objects",
  },
  metadata_name: {
    why: "metadata has a name that the protocol uses",
    action: "choose another name",
  },
  storage_failed: {
    why: "the device could not write, for example because its storage is full",
    action: "free some space, then restart the app",
  },
  storage_lost: {
    why: "the records were removed while the app was open",
    action: "sign in again: what was sent comes back",
  },
  closed: { why: "the client was closed", action: "make edits before `close`" },
  operation_not_found: {
    why: "a retry or a discard names an operation that is not in quarantine",
    action: "read `quarantine.list()` again",
  },
};

type ClientErrorKind = (SyncClientError | SignInError | SignOutError)["kind"];

export const CLIENT_ERROR_HELP: Readonly<Record<ClientErrorKind, ErrorHelp>> = {
  unreachable: {
    why: "no connection; at a sign-in also a wrong address, or an origin that is not in `sync.corsOrigins`",
    action: "check the address and the origin; otherwise nothing",
  },
  timeout: { why: "the server did not respond in time", action: BY_ITSELF },
  "rate-limited": { why: "the server asks the device to wait", action: BY_ITSELF },
  "server-error": { why: "the server or a proxy failed", action: BY_ITSELF },
  "request-refused": {
    why: "the server refuses the request itself; `code` is one of those that [the service sends](sync.md)",
    action: "update the app, or correct the address",
  },
  "quota-exceeded": {
    why: "the storage that the operator allows the account is used up",
    action: "ask the operator for more",
  },
  "not-a-sync-server": {
    why: "something else responded, such as a proxy or the login page of a network",
    action: "check the address; sign in to the network",
  },
  "profile-mismatch": {
    why: "app and server have different profiles, so nothing is sent",
    action: "set `sync.profile` of the server, or `profile` of `createSyncClient`, to the other's",
  },
  "redirect-not-listed": {
    why: "the server does not list the redirect URI of the app",
    action: "add exactly that URI to `sync.redirectUris`",
  },
  "cors-missing": {
    why: "the sign-in page worked, and the server does not respond to the web app",
    action: "add the app's origin to `sync.corsOrigins`",
  },
  "unreadable-page": {
    why: "the server sent something that this version of the client cannot read",
    action: "update the app",
  },
  "unstable-log": { why: "the server's log changed while it was read", action: BY_ITSELF },
  "long-log": { why: "the server has more pages than one round takes", action: BY_ITSELF },
  "endless-log": { why: "the server sends the same pages again", action: TELL_OPERATOR },
  "exhausted-log": {
    why: "the server sent a sequence after which no device could count further",
    action: TELL_OPERATOR,
  },
  "storage-failed": EDIT_ERROR_HELP.storage_failed,
  "storage-lost": EDIT_ERROR_HELP.storage_lost,
  "key-needed": {
    why: "the device has no key of the account, or one that was replaced; the data and the queue stay",
    action: "`encryption.useKey` with the recovery key, or `createKey` for a new account",
  },
  "keys-disagree": {
    why: "the server shows other keys than this device has: another account's, or a forgery; nothing is sent or lost",
    action:
      "check the address and the account; enter the recovery key of a device that still syncs",
  },
  "data-in-the-clear": {
    why: "the app encrypts, and its storage has data that was synced in the clear; it stays as it is",
    action: "give the client a new storage, and copy the data with `copyEntities`",
  },
  "signed-out": { why: "this device is not signed in", action: "sign in" },
  "sign-in-needed": { why: "the session has ended; the data stays", action: "sign in again" },
  closed: { why: "the client was closed", action: "create a new client" },
  "not-the-callback": {
    why: "`completeSignIn` got an address that is not the redirect URI",
    action: "pass the whole address that the browser was redirected to",
  },
  "unknown-attempt": {
    why: "no sign-in of this device has begun with this state: it is old, finished, or an attack",
    action: BEGIN_AGAIN,
  },
  "another-server": {
    why: "the device has data of another server, which may be another person's",
    action: "sign out with `erase`, or take the data along with `moveData`",
  },
  "missing-code": { why: "the redirect has neither a code nor an error", action: BEGIN_AGAIN },
  "code-refused": { why: "the code has expired or was used", action: BEGIN_AGAIN },
  "too-many-devices": {
    why: "as many devices are signed in as the operator allows",
    action: "sign one out, then begin again",
  },
  "unsent-edits": {
    why: "`signOut({ erase: true })` would lose `count` edits that the server does not have",
    action: "sync first, or pass `discardUnsent`",
  },
};

export const PLATFORM_ERROR_HELP: Readonly<Record<PlatformErrorReason, ErrorHelp>> = {
  "webcrypto-missing": {
    why: "browsers have WebCrypto only over https and on localhost",
    action: "open the app over https",
  },
  "storage-missing": {
    why: "the browser has no IndexedDB",
    action: "update it; on Node use `createSqliteStorage`",
  },
  "storage-denied": {
    why: "the browser lets the page store nothing",
    action: "allow site data, or leave the private window",
  },
  "storage-failed": { why: "the database cannot be opened", action: "free some space" },
};
