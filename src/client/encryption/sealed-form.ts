/** The forms of the records of a device with encryption: with the account's key, and while it waits for that. */
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import type { OpenResult, Sealer } from "../sync/encryption.ts";
import { REFUSED, type EntityOperation, type StoredOperations } from "../sync/entity-record.ts";
import {
  CLEAR_FORM,
  isSealedId,
  type RecordForm,
  type UnreadableOperation,
} from "../sync/record-form.ts";
import { createAccountKeys, createDataKey } from "./account-keys.ts";
import { hasClear, reopenRecords, sealClear } from "./seal-records.ts";
import { createSealer } from "./sealer.ts";

type Unreadable = Extract<OpenResult, { kind: "unreadable" }>;

const PARTS = ["payload", "metadata"] as const;

/** Edits are stored as the app made them, within the limits that they will have to keep when they are sealed. */
export function createLockedForm(): RecordForm {
  const trial = createSealer(createAccountKeys(createDataKey()));
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

export function createSealedForm(sealer: Sealer): RecordForm {
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

  function seal(operation: ParsedOperation): ParsedOperation {
    const sealed = parseOperation(sealer.seal(operation));
    const { entityId, payloadFields, metadataFields } = operation;
    const opened = { entityId, payloadFields, metadataFields };
    results.set(sealed, { kind: "opened", operation: opened });
    return sealed;
  }

  function isReadable(operation: ParsedOperation, known?: ParsedOperation): boolean {
    if (read(operation).kind === "unreadable") return false;
    return known === undefined || !isPart(operation, known);
  }

  /** What can be read of the entity tells its id and the names of its fields. */
  function toUnreadable(
    { entityId: recordId }: ParsedOperation,
    { reason, field: opaqueName }: Unreadable,
    readable: StoredOperations,
  ): UnreadableOperation {
    const entityId = isSealedId(recordId) ? entityIds.get(recordId) : recordId;
    const field = PARTS.flatMap((part) =>
      readable
        .flatMap(({ operation }) => operation[`${part}Fields`])
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
    isReadable,
    listUnreadable(stored) {
      const readable = open(stored);
      return stored.flatMap(({ operation }) => {
        const result = read(operation);
        return result.kind === "opened" ? [] : [toUnreadable(operation, result, readable)];
      });
    },
    seal,
    withRevision(operation, revision, stored) {
      const readable = isSealedId(operation.entityId)
        ? open([...stored, { operation, confirmedIn: REFUSED }]).at(-1)?.operation
        : operation;
      // Nothing else tells the entity of a patch.
      if (readable?.text !== operation.text || isSealedId(readable.entityId)) return null;
      return sealer.seal({ ...readable, operationId: operationIdOf(revision), revision });
    },
    sealing: {
      hasClear,
      sealClear: (transaction) => sealClear(transaction, seal),
      reopen: (transaction) => reopenRecords(transaction, isReadable),
    },
  };
}

/** A value is sealed once, so what has the same ones is the same operation, and a server left fields out. */
function isPart(operation: ParsedOperation, whole: ParsedOperation): boolean {
  const toValues = ({ payloadFields, metadataFields }: ParsedOperation) =>
    new Set([...payloadFields, ...metadataFields].map(({ json }) => json));
  const [values, all] = [toValues(operation), toValues(whole)];
  return values.size < all.size && [...values].every((value) => all.has(value));
}

/** The keys are read elsewhere. A deletion of their entity is not believed. */
function readKeyOperation({ kind }: ParsedOperation): OpenResult {
  return kind === "delete"
    ? { kind: "unreadable", reason: "lifecycle" }
    : { kind: "opened", operation: { entityId: null, payloadFields: [], metadataFields: [] } };
}
