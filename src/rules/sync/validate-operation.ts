/**
 * Whether operations obey the sync contract, and if not, which rule they break. Servers ask before
 * they store, devices before they push.
 */
import {
  MAX_FIELDS,
  MAX_OPERATION_BYTES,
  MAX_SEQUENCE,
  type SyncProfile,
} from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/types.ts";
import { ID_PATTERN } from "../../contract/identity.ts";
import { parseEntityId } from "./entity-id.ts";
import { examineTree } from "./examine-tree.ts";
import { haveSameNames } from "./field-texts.ts";
import { breach, type OperationError, type RuleError } from "./operation-problem.ts";
import { findShapeError } from "./operation-shape.ts";
import { readOperation, type ReadOperation } from "./read-operation.ts";
import { operationIdOf } from "./revision.ts";
import type { ScannedOperation } from "./scan-operations.ts";
import { looksSecret } from "./secret-name.ts";
import { hasMoreBytes } from "./text-length.ts";
import { findPayloadError } from "./validate-payload.ts";

export type OperationResult =
  | { readonly kind: "valid"; readonly operation: ReadOperation }
  | ({ readonly kind: "invalid" } & RuleError);

export type BatchResult =
  | { readonly kind: "valid"; readonly operations: readonly ReadOperation[] }
  | { readonly kind: "invalid"; readonly problems: readonly OperationError[] };

/** The texts and the parsed values of the same list. Every bad operation is named, not only the first. */
export function validateBatch(
  scanned: readonly ScannedOperation[],
  values: readonly unknown[],
  profile: SyncProfile,
): BatchResult {
  const operations: ReadOperation[] = [];
  const problems: OperationError[] = [];
  for (let index = 0; index < scanned.length; index++) {
    const verdict = validateOperation(scanned[index] as ScannedOperation, values[index], profile);
    if (verdict.kind === "valid") operations.push(verdict.operation);
    else problems.push({ index, rule: verdict.rule, reason: verdict.reason });
  }
  return problems.length === 0 ? { kind: "valid", operations } : { kind: "invalid", problems };
}

export function validateOperation(
  scanned: ScannedOperation,
  value: unknown,
  profile: SyncProfile,
): OperationResult {
  const breach =
    findBoundsError(scanned, value) ??
    findShapeError(value) ??
    findMeaningError(scanned, value as Operation, profile);
  if (breach !== null) return { kind: "invalid", ...breach };
  return { kind: "valid", operation: readOperation(scanned, value as Operation) };
}

function findBoundsError(scanned: ScannedOperation, value: unknown): RuleError | null {
  if (hasMoreBytes(scanned.text, MAX_OPERATION_BYTES)) {
    return breach("size", `the operation must be at most ${MAX_OPERATION_BYTES} bytes`);
  }
  const examined = examineTree(value);
  if (examined.breach !== null) return examined.breach;
  // Readers differ in which of two equal names they take: we must not judge one and send the other.
  return scanned.memberCount === null || scanned.memberCount === examined.memberCount
    ? null
    : breach("repeated_member", "a member name is given twice in one object");
}

function findMeaningError(
  scanned: ScannedOperation,
  operation: Operation,
  profile: SyncProfile,
): RuleError | null {
  return (
    findRevisionError(scanned, operation) ??
    findTombstoneError(operation) ??
    findFieldsError(scanned, operation) ??
    findEntityError(scanned, operation, profile)
  );
}

const DEVICE_ID = new RegExp(ID_PATTERN);

function findRevisionError(
  { sequenceText }: ScannedOperation,
  { revision, operationId }: Operation,
): RuleError | null {
  const { deviceId, sequence } = revision;
  if (typeof deviceId !== "string" || !DEVICE_ID.test(deviceId)) {
    return breach("revision", "revision.deviceId must be 1 to 128 of A-Z a-z 0-9 . _ ~ -");
  }
  // As text too: 7.0 and 7e0 would reach devices whose readers make no integer of them.
  if (
    !Number.isInteger(sequence) ||
    sequence < 1 ||
    sequence > MAX_SEQUENCE ||
    String(sequence) !== sequenceText
  ) {
    return breach(
      "revision",
      `revision.sequence must be an integer from 1 to ${MAX_SEQUENCE}, in plain digits`,
    );
  }
  return operationId === operationIdOf(revision)
    ? null
    : breach("operation_id", "operationId must be operation/<deviceId>/<sequence> of the revision");
}

function findTombstoneError({ kind, document }: Operation): RuleError | null {
  const { deleted, payload } = document;
  if (deleted !== (kind === "delete")) {
    return breach("tombstone", "deleted must be true for a delete, and false for any other kind");
  }
  if (deleted === (payload === undefined)) return null;
  return breach(
    "tombstone",
    deleted ? "a tombstone must have no payload" : "a live document must have a payload",
  );
}

function findFieldsError(
  { payloadTexts, metadataTexts }: ScannedOperation,
  { kind, changedFields, changedMetadataFields }: Operation,
): RuleError | null {
  const payloadNames = payloadTexts.names;
  const metadataNames = metadataTexts.names;
  if (payloadNames.length > MAX_FIELDS || metadataNames.length > MAX_FIELDS) {
    return breach("field_count", `payload and metadata have at most ${MAX_FIELDS} fields each`);
  }
  const namesAll = kind === "create" || kind === "restore";
  return (
    findNamesError("changedFields", changedFields, payloadNames, namesAll) ??
    findNamesError("changedMetadataFields", changedMetadataFields, metadataNames, namesAll) ??
    (kind === "patch" && changedFields.length + changedMetadataFields.length === 0
      ? breach("changed_fields", "a patch must name a changed field")
      : null)
  );
}

function findNamesError(
  member: string,
  names: readonly string[],
  existing: readonly string[],
  namesAll: boolean,
): RuleError | null {
  if (haveSameNames(names, existing)) return null;
  const left = new Set(existing);
  for (const name of names) {
    if (left.delete(name)) continue;
    return breach(
      "changed_fields",
      existing.includes(name)
        ? `${member} must not name a field twice`
        : `${member} must name only fields that the document has`,
    );
  }
  return namesAll && left.size > 0
    ? breach("changed_fields", `${member} of a create or restore must name every field`)
    : null;
}

function findEntityError(
  scanned: ScannedOperation,
  { document }: Operation,
  profile: SyncProfile,
): RuleError | null {
  const entity = parseEntityId(document.entityId, profile);
  if (entity === null) {
    const expected =
      profile === "open"
        ? "<type>/<id>"
        : "habit/<id>, entry/<habit id>/<YYYY-MM-DD> or setting/<key>";
    return breach("entity_id", `document.entityId must be ${expected}, canonically encoded`);
  }
  // A setting's key is the name of its value.
  if (entity.type === "setting" && looksSecret(entity.key)) {
    return breach("secret_name", "a setting's key looks like a secret's");
  }
  if (document.payload === undefined) return null;
  const problem = findPayloadError(entity, document.payload, scanned.payloadTexts);
  return problem === null ? null : breach("payload", problem);
}
