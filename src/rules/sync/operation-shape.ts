/** Which members an operation has, and of which type; what they mean is judged after that. */
import { DOCUMENT_SCHEMA_VERSION, OPERATION_KINDS } from "../../contract/sync/operation-limits.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { breach, type RuleError } from "./operation-problem.ts";

type Members = Readonly<Record<string, unknown>>;

export function findShapeError(value: unknown): RuleError | null {
  if (!isObject(value)) return breach("shape", "the operation must be an object");
  const problem = findMemberError(value) ?? findDocumentError(value["document"] as Members);
  return problem === null ? null : breach("shape", problem);
}

const OPERATION_MEMBERS = 7;

// Every member by its name and not in a loop: each operation of each push is asked.

function findMemberError(operation: Members): string | null {
  if (operation["protocolVersion"] !== PROTOCOL_VERSION) {
    return `protocolVersion must be ${PROTOCOL_VERSION}`;
  }
  if (typeof operation["operationId"] !== "string") return "operationId must be text";
  if (!isKind(operation["kind"])) return "kind must be create, patch, delete or restore";
  if (!isRevision(operation["revision"])) {
    return "revision must be an object of deviceId and sequence";
  }
  if (!isObject(operation["document"])) return "document must be an object";
  if (!isTextList(operation["changedFields"])) return "changedFields must be a list of field names";
  if (!isTextList(operation["changedMetadataFields"])) {
    return "changedMetadataFields must be a list of field names";
  }
  // Each one above is there, so one more is one too many.
  return Object.keys(operation).length === OPERATION_MEMBERS
    ? null
    : "the operation has a member that is not known";
}

function findDocumentError(document: Members): string | null {
  if (document["schemaVersion"] !== DOCUMENT_SCHEMA_VERSION) {
    return `document.schemaVersion must be ${DOCUMENT_SCHEMA_VERSION}`;
  }
  if (typeof document["entityId"] !== "string") return "document.entityId must be text";
  if (typeof document["deleted"] !== "boolean") return "document.deleted must be true or false";
  return document["payload"] === undefined || isObject(document["payload"])
    ? null
    : "document.payload must be an object";
}

function isKind(value: unknown): boolean {
  return OPERATION_KINDS.some((kind) => kind === value);
}

function isRevision(value: unknown): boolean {
  return (
    isObject(value) &&
    value["deviceId"] !== undefined &&
    value["sequence"] !== undefined &&
    Object.keys(value).length === 2
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}
