/** `trellis/client`: what apps embed. */
// Page client-updates: Check for updates that the maker of the app signed, and download them.
export {
  createUpdateClient,
  type RequestOptions,
  type UpdateClient,
} from "./update/create-update-client.ts";
export { createMemoryStorage, type UpdateStorage } from "./update/storage.ts";
export {
  DEFAULT_UPDATE_LIMITS,
  type UpdateClientOptions,
  type UpdateLimits,
} from "./update/settings.ts";
export type { UpdateCheckResult, UpdateError, UpdateNotice } from "./update/check-for-update.ts";
export type { LostState } from "./update/stored-state.ts";
export { PACKAGE_KINDS, type PackageKind } from "../rules/release/package-kinds.ts";
export type { UpdateFacts, UpdateStatus } from "../rules/release/evaluate-update.ts";
export { noteToText, parseNote, type Note, type NoteSpan } from "../rules/release/note.ts";
export type { HintResult, UpdateHint } from "./update/fetch-hint.ts";
export type { HistoryResult } from "./update/fetch-history.ts";
export type { ReleaseFilesResult } from "./update/fetch-release-files.ts";
export type { Fetch } from "./transport/request-text.ts";
export type { TransportError } from "./update/fetch-text.ts";

// Page client-downloads: Download files of a release, and verify a manifest without the client.
export type { ByteSource } from "./transport/byte-source.ts";
export type { DownloadOptions, DownloadSink, PartialDownload } from "./update/download-artifact.ts";
export type {
  DownloadComplete,
  DownloadError,
  DownloadIncomplete,
  DownloadProgress,
  DownloadResult,
} from "./update/download-result.ts";
export {
  verifyManifest,
  type ManifestError,
  type ManifestResult,
  type ManifestTrust,
} from "../rules/release/verify-manifest.ts";
export type { Release, ReleaseArtifact, WithdrawnRelease } from "../contract/release/schemas.ts";

// Page client-events: Connect an app to an events service, and import its events.
export { createEventsClient, type EventsClient } from "./events/create-events-client.ts";
export {
  DEFAULT_EVENTS_LIMITS,
  type EventsClientOptions,
  type EventsLimits,
} from "./events/settings.ts";
export { ORIGIN_ERRORS, type OriginError } from "../rules/events/client/origin-errors.ts";
export { parseServiceOrigin, type OriginResult } from "../rules/events/client/service-origin.ts";
export type { BeginLoginResult, LoginError, LoginResult, PendingLogin } from "./events/login.ts";
export type { CallbackErrorCode, CallbackError } from "../rules/events/client/read-callback.ts";
export type { EventsSyncRequest, EventsSyncResult } from "./events/sync-events.ts";
export type { EventsClientError } from "./events/request-json.ts";
export type { FetchedEvents } from "./events/page-accumulator.ts";
export type { EventsSyncState, SyncResume } from "../rules/events/client/sync-state.ts";
export type { EventsExtra } from "../contract/events/values.ts";
export type { UnreadableEntry } from "../rules/events/client/read-event-list.ts";
export { sortEvents, type RemoteEvent } from "../rules/events/client/remote-event.ts";
export { importEvents, type EventImportOptions } from "./events/import-events.ts";
export { toLocalDate } from "./events/to-local-date.ts";
export type {
  EventIcon,
  EventSource,
  ImportedHabit,
  ImportReport,
  LocalHabit,
  ImportSkipReason,
} from "../rules/events/client/import-events.ts";
export type { IsoDateError } from "../rules/events/iso-date.ts";

// Page client-sync: Store the data of an app on the device, and sync it.
export { createSyncClient } from "./sync/create-sync-client.ts";
export type { EncryptedSyncClient, SyncClient, SyncClientOptions } from "./sync/sync-client.ts";
export type { ClientEncryption, SyncEncryption } from "./sync/client-keys.ts";
export type { KeyOrigin } from "./encryption/account-key-list.ts";
export {
  copyEntities,
  type CopyCounts,
  type CopyResult,
  type RefusedCopy,
} from "./sync/copy-entities.ts";
export type { UnreadableOperation, UnreadableReason } from "./sync/record-form.ts";
export type { Quarantine } from "./sync/quarantine.ts";
export { PlatformError, type PlatformErrorReason } from "./sync/platform-error.ts";
export { createIndexedDbStorage } from "./sync/indexed-db-storage.ts";
export { createMemorySyncStorage, type MemoryStorageOptions } from "./sync/memory-storage.ts";
export type { KeyRange, StorageTransaction, StoredRecord, SyncStorage } from "./sync/storage.ts";
// Page client-collections: Edit and query the entities of a type, with the types of the app.
export type { Fields, StoredEntity } from "./sync/entity.ts";
export type {
  ChangedFields,
  Collection,
  CollectionOptions,
  CollectionResult,
  CreateCollection,
  EditCollection,
  FieldIssue,
  FieldOfKind,
  InvalidEntity,
  KindsFor,
  NewFields,
  OrderPlace,
  SchemaOptions,
  SettleOptions,
  SettleResult,
  TransactionEdits,
  TransactionResult,
  TransactionWork,
} from "./collections/collection.ts";
export type {
  CollectionFilter,
  CollectionQuery,
  FieldFilter,
  IndexedField,
  IndexOf,
  LiveQuery,
  NumberField,
  QuerySnapshot,
} from "./collections/collection-query.ts";
export { IndexNeededError } from "./collections/query-error.ts";
export type {
  AnyOlder,
  EvolveOptions,
  FieldEvolution,
  OlderFields,
} from "./collections/evolve-options.ts";
export type { Entity, FieldOf } from "./collections/shown-entity.ts";
export type {
  InputOf,
  OutputOf,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "./collections/standard-schema.ts";
export type { FieldKind } from "../rules/sync/field-kinds.ts";
// Page client-results: What the commands of the sync client return.
export type { EntityEntry, EntityView } from "./sync/entity-view.ts";
export type {
  BeginSignInResult,
  CreateKeyResult,
  DiscardResult,
  EditErrorCode,
  EditResult,
  KeyFailure,
  KeyRefusedResult,
  KeyState,
  NotSignedIn,
  QuarantinedOperation,
  RetryResult,
  RotateKeyResult,
  SignInError,
  SignInResult,
  SignOutError,
  SignOutResult,
  StatusKind,
  SyncClientError,
  SyncResult,
  SyncSnapshot,
  SyncStatus,
  UseKeyResult,
} from "./sync/results.ts";
export type { SignInOptions } from "./sync/sign-in.ts";
export type { SignOutOptions } from "./sync/sign-out.ts";
export type { TabApis, TabChannel, TabLocks } from "./sync/tab-apis.ts";
export type { SetTimer } from "./transport/deadline.ts";
export { formatEntityId, parseEntityId, type EntityId } from "../rules/sync/entity-id.ts";
