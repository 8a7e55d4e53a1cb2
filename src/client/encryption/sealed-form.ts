/** The form of the records of a device that has the account's key. */
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import { validateSealed } from "../../rules/sync/validate-operation.ts";
import type { OpenResult, Sealer } from "../sync/encryption.ts";
import { REFUSED, type StoredOperations } from "../sync/entity-record.ts";
import { isSealedId, type RecordForm } from "../sync/record-form.ts";

const PARTS = ["payload", "metadata"] as const;

export function createSealedForm(sealer: Sealer): RecordForm {
  /** An operation is opened once, when it comes; then it is merged and shown. */
  const results = new WeakMap<ParsedOperation, OpenResult>();
  /** By text: those that cannot be read stay, and are parsed again with the record at every change. */
  const unreadable = new Map<string, OpenResult>();
  const entityIds = new Map<string, string>();

  function keep(operation: ParsedOperation, result: OpenResult): OpenResult {
    results.set(operation, result);
    if (result.kind === "unreadable") unreadable.set(operation.text, result);
    const entityId = result.kind === "opened" ? result.operation.entityId : null;
    if (entityId !== null) entityIds.set(operation.entityId, entityId);
    return result;
  }

  function read(operation: ParsedOperation): OpenResult {
    const isKey = operation.entityId === KEY_ENTITY_ID;
    return (
      results.get(operation) ??
      unreadable.get(operation.text) ??
      keep(operation, isKey ? readKeyOperation(operation) : sealer.open(operation))
    );
  }

  function open(stored: StoredOperations): StoredOperations {
    const opened = stored.flatMap(({ operation, confirmedIn }) => {
      const result = read(operation);
      return result.kind === "unreadable" || operation.entityId === KEY_ENTITY_ID
        ? []
        : [
            {
              operation: { ...operation, ...result.operation },
              confirmedIn,
              id: operation.entityId,
            },
          ];
    });
    // Only some of the operations tell the app's id.
    return opened.map(({ operation, confirmedIn, id }) => ({
      operation: { ...operation, entityId: entityIds.get(id) ?? id },
      confirmedIn,
    }));
  }

  /** The names of the fields that can be read, by their sealed names. */
  function nameFields(stored: StoredOperations): ReadonlyMap<string, string> {
    const recordId = stored[0]?.operation.entityId ?? "";
    const opened = open(stored).map(({ operation }) => operation);
    return new Map(
      PARTS.flatMap((part) => {
        const names = new Set(
          opened.flatMap((one) => one[`${part}Fields`].map(({ name }) => name)),
        );
        return [...names].map((name) => [sealer.sealedName(recordId, part, name), name] as const);
      }),
    );
  }

  function seal(operation: ParsedOperation): ParsedOperation {
    const sealed = parseOperation(sealer.seal(operation));
    const { entityId, payloadFields, metadataFields } = operation;
    keep(sealed, { kind: "opened", operation: { entityId, payloadFields, metadataFields } });
    return sealed;
  }

  const isReadable = (operation: ParsedOperation) => read(operation).kind === "opened";

  return {
    kind: "sealed",
    validateSealed,
    recordIdOf: (entityId) => sealer.sealedId(entityId),
    entityIdOf: (recordId) => entityIds.get(recordId),
    open,
    isReadable: (operation, known) =>
      isReadable(operation) && (known === undefined || !isPart(operation, known)),
    /** What can be read of the entity tells its id and the names of its fields. */
    listUnreadable(stored) {
      if (stored.every(({ operation }) => isReadable(operation))) return [];
      const fields = nameFields(stored);
      return stored.flatMap(({ operation: { entityId: recordId }, operation }) => {
        const result = read(operation);
        if (result.kind === "opened") return [];
        const field = fields.get(result.field ?? "");
        const entityId = isSealedId(recordId) ? entityIds.get(recordId) : recordId;
        return [
          {
            ...(entityId && { entityId }),
            ...(field !== undefined && { field }),
            reason: result.reason,
          },
        ];
      });
    },
    seal,
    withRevision(operation, revision, stored) {
      const opened = open([...stored, { operation, confirmedIn: REFUSED }]).at(-1)?.operation;
      // The stored ones may have to tell the entity of a patch.
      return opened?.text !== operation.text || isSealedId(opened.entityId)
        ? null
        : sealer.seal({ ...opened, operationId: operationIdOf(revision), revision });
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
