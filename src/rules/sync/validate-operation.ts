/** Finds broken rules of the sync contract; the service checks before storing, an app may before pushing. */
import { ID_PATTERN } from "../../contract/identity.ts";
import { isObject, type Members } from "../../contract/is-object.ts";
import {
  DOCUMENT_SCHEMA_VERSION,
  MAX_FIELDS,
  MAX_SEQUENCE,
  OPERATION_KINDS,
  type ClearProfile,
  type SyncProfile,
} from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { readEntityId } from "./entity-id.ts";
import {
  findFieldError,
  booleanRule,
  oneOfRule,
  type FieldRule,
  type FieldRules,
} from "./field-rule.ts";
import { findBoundsError, looksSecret } from "./operation-bounds.ts";
import { ruleError, type OperationError, type RuleError } from "./operation-error.ts";
import {
  pickFields,
  toParsedOperation,
  type Field,
  type ParsedOperation,
  type ScannedOperation,
} from "./operation-text.ts";
import { operationIdOf } from "./operation.ts";
import { findEnvelope, findSealedError, withoutEnvelope } from "./sealed-operation.ts";
import { findPayloadError } from "./validate-payload.ts";

export type OperationResult =
  | { readonly kind: "valid"; readonly operation: ParsedOperation }
  | ({ readonly kind: "invalid" } & RuleError);

export type BatchResult =
  | { readonly kind: "valid"; readonly operations: readonly ParsedOperation[] }
  | { readonly kind: "invalid"; readonly errors: readonly OperationError[] };

/** Reports every bad operation, not only the first. */
export function validateBatch(
  batch: readonly ScannedOperation[],
  profile: SyncProfile,
): BatchResult {
  const operations: ParsedOperation[] = [];
  const errors: OperationError[] = [];
  const goodNames = new Set<string>();
  for (const [index, scanned] of batch.entries()) {
    const result = validateOperation(scanned, profile, goodNames);
    if (result.kind === "valid") operations.push(result.operation);
    else errors.push({ index, code: result.code, reason: result.reason });
  }
  return errors.length === 0 ? { kind: "valid", operations } : { kind: "invalid", errors };
}

/** `goodNames` are member names that were checked with another operation. */
export function validateOperation(
  scanned: ScannedOperation,
  profile: SyncProfile,
  goodNames?: Set<string>,
): OperationResult {
  return profile === "sealed"
    ? validateSealed(scanned)
    : validateClear(scanned, profile, goodNames);
}

/** Stands apart, so that an app without encryption does not load the rules of the profile `sealed`. */
export function validateClear(
  scanned: ScannedOperation,
  profile: ClearProfile,
  goodNames = new Set<string>(),
): OperationResult {
  const error =
    findFormError(scanned, profile, goodNames) ??
    findFieldsError(scanned) ??
    findEntityError(scanned, profile);
  return toResult(scanned, error);
}

export function validateSealed(scanned: ScannedOperation): OperationResult {
  const envelope = findEnvelope(scanned.metadata);
  const error =
    findFormError(scanned, "sealed", new Set()) ??
    findSealedError(scanned, envelope) ??
    findFieldsError({ ...scanned, metadata: withoutEnvelope(scanned.metadata) });
  const result = toResult(scanned, error);
  return result.kind === "valid" && envelope !== null
    ? { ...result, operation: { ...result.operation, envelope } }
    : result;
}

function toResult(scanned: ScannedOperation, error: RuleError | null): OperationResult {
  return error === null
    ? { kind: "valid", operation: toParsedOperation(scanned) }
    : { kind: "invalid", ...error };
}

/** Finds what is wrong before the fields are looked at. */
function findFormError(
  scanned: ScannedOperation,
  profile: SyncProfile,
  goodNames: Set<string>,
): RuleError | null {
  return (
    findBoundsError(scanned, profile, goodNames) ??
    findShapeError(scanned.value) ??
    findRevisionError(scanned) ??
    findTombstoneError(scanned)
  );
}

function findShapeError(value: unknown): RuleError | null {
  if (!isObject(value)) return ruleError("operation_shape", "the operation must be an object");
  return (
    findFieldError(value, OPERATION_MEMBERS, "", "operation_shape") ??
    (Object.keys(value).length === OPERATION_MEMBERS.length
      ? null
      : ruleError("operation_shape", "the operation has a member that is not known")) ??
    findFieldError(value["document"] as Members, DOCUMENT_RULES, "document.", "document_shape")
  );
}

const text: FieldRule = { accepts: (value) => typeof value === "string", expected: "text" };
const object: FieldRule = { accepts: isObject, expected: "an object" };
const names: FieldRule = { accepts: isTextList, expected: "a list of field names" };

const OPERATION_MEMBERS: FieldRules = Object.entries({
  protocolVersion: { ...oneOfRule([PROTOCOL_VERSION]), code: "protocol_version" },
  operationId: text,
  kind: { ...oneOfRule(OPERATION_KINDS), code: "kind_unknown" },
  revision: { accepts: isRevision, expected: "an object of deviceId and sequence" },
  document: object,
  changedFields: names,
  changedMetadataFields: names,
});

const DOCUMENT_RULES: FieldRules = Object.entries({
  schemaVersion: { ...oneOfRule([DOCUMENT_SCHEMA_VERSION]), code: "schema_version" },
  entityId: text,
  deleted: booleanRule,
  payload: { ...object, accepts: (value) => value === undefined || isObject(value) },
} satisfies Record<string, FieldRule>);

function isRevision(value: unknown): boolean {
  return (
    isObject(value) &&
    value["deviceId"] !== undefined &&
    value["sequence"] !== undefined &&
    Object.keys(value).length === 2
  );
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

const DEVICE_ID = new RegExp(ID_PATTERN);

function findRevisionError({ value, sequenceText }: ScannedOperation): RuleError | null {
  const { revision, operationId } = value as Operation;
  const { deviceId, sequence } = revision;
  if (typeof deviceId !== "string" || !DEVICE_ID.test(deviceId)) {
    return ruleError(
      "revision_device",
      "revision.deviceId must be 1 to 128 of A-Z a-z 0-9 . _ ~ -",
    );
  }
  // The text is compared too: some parsers make no integer of 7.0 or 7e0.
  if (
    !Number.isInteger(sequence) ||
    sequence < 1 ||
    sequence > MAX_SEQUENCE ||
    String(sequence) !== sequenceText
  ) {
    return ruleError(
      "revision_sequence",
      `revision.sequence must be an integer from 1 to ${MAX_SEQUENCE}, in plain digits`,
    );
  }
  return operationId === operationIdOf(revision)
    ? null
    : ruleError(
        "operation_id",
        "operationId must be operation/<deviceId>/<sequence> of the revision",
      );
}

function findTombstoneError({ value }: ScannedOperation): RuleError | null {
  const { kind, document } = value as Operation;
  const { deleted, payload } = document;
  if (deleted !== (kind === "delete")) {
    return ruleError(
      "deleted_mismatch",
      "deleted must be true for a delete, and false for any other kind",
    );
  }
  if (deleted === (payload === undefined)) return null;
  return deleted
    ? ruleError("tombstone_payload", "a tombstone must have no payload")
    : ruleError("payload_missing", "a live document must have a payload");
}

function findFieldsError({ value, payload, metadata }: ScannedOperation): RuleError | null {
  const { kind, changedFields, changedMetadataFields } = value as Operation;
  if (payload.length > MAX_FIELDS || metadata.length > MAX_FIELDS) {
    return ruleError(
      "too_many_fields",
      `payload and metadata must have at most ${MAX_FIELDS} fields each`,
    );
  }
  const namesAll = kind === "create" || kind === "restore";
  return (
    findNamesError("changedFields", changedFields, payload, namesAll) ??
    findNamesError("changedMetadataFields", changedMetadataFields, metadata, namesAll) ??
    (kind === "patch" && changedFields.length + changedMetadataFields.length === 0
      ? ruleError("changed_none", "a patch must name a changed field")
      : null)
  );
}

function findNamesError(
  member: string,
  names: readonly string[],
  fields: readonly Field[],
  namesAll: boolean,
): RuleError | null {
  const existing = pickFields(fields, names).length;
  if (existing === names.length && (!namesAll || existing === fields.length)) return null;
  const named = new Set(names);
  if (existing < named.size) {
    return ruleError("changed_unknown", `${member} must name only fields that the document has`);
  }
  if (named.size < names.length) {
    return ruleError("changed_repeated", `${member} must not name a field twice`);
  }
  return namesAll && existing < fields.length
    ? ruleError("changed_incomplete", `${member} of a create or restore must name every field`)
    : null;
}

function findEntityError(
  { value, payload: fields }: ScannedOperation,
  profile: ClearProfile,
): RuleError | null {
  const { entityId, payload } = (value as Operation).document;
  const entity = readEntityId(entityId, profile);
  if (entity.type === "error") {
    return ruleError("entity_id", `document.entityId must ${entity.expected}`);
  }
  // A setting's key is the name of its value.
  if (entity.type === "setting" && looksSecret(entity.key)) {
    return ruleError("secret_name", "the key of a setting is the name of a secret");
  }
  return payload === undefined ? null : findPayloadError(entity, payload, fields);
}
