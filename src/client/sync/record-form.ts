/**
 * The form in which a device stores operations: as the app made them or, once it has the account's key,
 * sealed. Queues, merges and recovery are the same for both: sealed operations have other ids, names and values.
 */
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import type { Operation, Revision } from "../../contract/sync/operation.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import type { OpenResult, Sealer, SyncEncryption, UnreadableReason } from "./encryption.ts";
import { REFUSED, type EntityOperation, type StoredOperations } from "./entity-record.ts";

export interface RecordForm {
  /** `locked`: the device waits for its key, and stores operations as the app made them. */
  readonly kind: "clear" | "locked" | "sealed";
  /** The id of the record of an app's entity. */
  recordIdOf(entityId: string): string;
  /** The app's id of a record's entity; undefined while no operation that was opened has told it. */
  entityIdOf(recordId: string): string | undefined;
  /** The operations as the app made them, without those that cannot be read. */
  open(stored: StoredOperations): StoredOperations;
  isReadable(operation: ParsedOperation): boolean;
  listUnreadable(stored: StoredOperations): readonly UnreadableOperation[];
  /** The operation as it is pushed. */
  seal(operation: ParsedOperation): ParsedOperation;
  /** The text of the same change under another revision; null when it cannot be read. */
  withRevision(
    operation: ParsedOperation,
    revision: Revision,
    stored: StoredOperations,
  ): string | null;
}

/** An operation of the server that this device cannot read, and so does not show. */
export interface UnreadableOperation {
  /** Absent where nothing that can be read tells it. */
  readonly entityId?: string;
  readonly field?: string;
  readonly reason: UnreadableReason;
}

type Unreadable = Extract<OpenResult, { kind: "unreadable" }>;

const PARTS = ["payload", "metadata"] as const;

const SEALED_PREFIX = "sealed/";

export function isSealedId(entityId: string): boolean {
  return entityId.startsWith(SEALED_PREFIX);
}

export const CLEAR_FORM: RecordForm = {
  kind: "clear",
  recordIdOf: (entityId) => entityId,
  entityIdOf: (recordId) => recordId,
  open: (stored) => stored,
  isReadable: () => true,
  listUnreadable: () => [],
  seal: (operation) => operation,
  withRevision: ({ text }, revision) =>
    JSON.stringify({
      ...(JSON.parse(text) as Operation),
      operationId: operationIdOf(revision),
      revision,
    }),
};

/** `sealer` is null without the account's key. */
export function createRecordForm(
  encryption: SyncEncryption | null,
  sealer: Sealer | null,
): RecordForm {
  if (encryption === null) return CLEAR_FORM;
  return sealer === null ? createLockedForm(encryption) : createSealedForm(sealer);
}

/** Edits are stored as the app made them, within the limits that they will have to keep when they are sealed. */
function createLockedForm(encryption: SyncEncryption): RecordForm {
  const keys = encryption.createAccountKeys(encryption.createDataKey());
  const trial = encryption.createSealer(keys);
  const isClear = ({ entityId }: ParsedOperation) => !isSealedId(entityId);
  return {
    ...CLEAR_FORM,
    kind: "locked",
    open: (stored) => stored.filter(({ operation }) => isClear(operation)),
    seal: (operation) => parseOperation(trial.seal(operation)),
    withRevision: (operation, revision, stored) =>
      isClear(operation) ? CLEAR_FORM.withRevision(operation, revision, stored) : null,
  };
}

function createSealedForm(sealer: Sealer): RecordForm {
  /** An operation is opened once, when it comes; then it is merged and shown. */
  const results = new WeakMap<ParsedOperation, OpenResult>();
  const entityIds = new Map<string, string>();

  function read(operation: ParsedOperation): OpenResult {
    const known = results.get(operation);
    if (known !== undefined) return known;
    const result =
      operation.entityId === KEY_ENTITY_ID ? readKeyOperation(operation) : sealer.open(operation);
    results.set(operation, result);
    return result;
  }

  function open(stored: StoredOperations): StoredOperations {
    const opened: EntityOperation[] = [];
    for (const { operation, confirmedIn } of stored) {
      const result = read(operation);
      if (result.kind === "unreadable" || operation.entityId === KEY_ENTITY_ID) continue;
      const { entityId, ...fields } = result.operation;
      if (entityId !== null) entityIds.set(operation.entityId, entityId);
      opened.push({ operation: { ...operation, ...fields }, confirmedIn });
    }
    const [first] = opened;
    const entityId = first && entityIds.get(first.operation.entityId);
    if (entityId === undefined) return opened;
    return opened.map(({ operation, confirmedIn }) => ({
      operation: { ...operation, entityId },
      confirmedIn,
    }));
  }

  /** What can be read of the entity tells its id and the names of its fields. */
  function toUnreadable(
    { entityId: recordId }: ParsedOperation,
    { reason, field: opaqueName }: Unreadable,
    stored: StoredOperations,
  ): UnreadableOperation {
    const readable = open(stored).map(({ operation }) => operation);
    const entityId = isSealedId(recordId) ? entityIds.get(recordId) : recordId;
    const field = PARTS.flatMap((part) =>
      readable
        .flatMap((operation) => operation[`${part}Fields`])
        .filter(({ name }) => sealer.sealedName(recordId, part, name) === opaqueName),
    )[0]?.name;
    return {
      ...(entityId !== undefined && { entityId }),
      ...(field !== undefined && { field }),
      reason,
    };
  }

  return {
    kind: "sealed",
    recordIdOf: (entityId) => sealer.sealedId(entityId),
    entityIdOf: (recordId) => entityIds.get(recordId),
    open,
    isReadable: (operation) => read(operation).kind === "opened",
    listUnreadable: (stored) =>
      stored.flatMap(({ operation }) => {
        const result = read(operation);
        return result.kind === "opened" ? [] : [toUnreadable(operation, result, stored)];
      }),
    seal(operation) {
      const sealed = parseOperation(sealer.seal(operation));
      const { entityId, payloadFields, metadataFields } = operation;
      const opened = { entityId, payloadFields, metadataFields };
      results.set(sealed, { kind: "opened", operation: opened });
      return sealed;
    },
    withRevision(operation, revision, stored) {
      const readable = isSealedId(operation.entityId)
        ? open([...stored, { operation, confirmedIn: REFUSED }]).at(-1)?.operation
        : operation;
      // Nothing else tells the entity of a patch.
      if (readable?.text !== operation.text || isSealedId(readable.entityId)) return null;
      return sealer.seal({ ...readable, operationId: operationIdOf(revision), revision });
    },
  };
}

/** The keys are read elsewhere. A deletion of their entity is not believed. */
function readKeyOperation({ kind }: ParsedOperation): OpenResult {
  return kind === "delete"
    ? { kind: "unreadable", reason: "lifecycle" }
    : { kind: "opened", operation: { entityId: null, payloadFields: [], metadataFields: [] } };
}
