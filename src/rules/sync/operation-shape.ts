/** Which members an operation has, and of which type; what they mean is judged after that. */
import { DOCUMENT_SCHEMA_VERSION, OPERATION_KINDS } from "../../contract/sync/operation-limits.ts";
import { PROTOCOL_VERSION } from "../../contract/sync/values.ts";
import { breach, type RuleBreach } from "./operation-problem.ts";

type Members = Readonly<Record<string, unknown>>;

type MemberRule = readonly [name: string, accepts: (value: unknown) => boolean, expected: string];

const OPERATION_SHAPE: readonly MemberRule[] = [
  ["protocolVersion", (value) => value === PROTOCOL_VERSION, String(PROTOCOL_VERSION)],
  ["operationId", isText, "text"],
  [
    "kind",
    (value) => OPERATION_KINDS.some((kind) => kind === value),
    "create, patch, delete or restore",
  ],
  ["revision", isRevision, "an object of deviceId and sequence"],
  ["document", isObject, "an object"],
  ["changedFields", isTextList, "a list of field names"],
  ["changedMetadataFields", isTextList, "a list of field names"],
];

const DOCUMENT_SHAPE: readonly MemberRule[] = [
  ["schemaVersion", (value) => value === DOCUMENT_SCHEMA_VERSION, String(DOCUMENT_SCHEMA_VERSION)],
  ["entityId", isText, "text"],
  ["deleted", (value) => typeof value === "boolean", "true or false"],
];

export function findShapeBreach(value: unknown): RuleBreach | null {
  if (!isObject(value)) return breach("shape", "the operation must be an object");
  for (const [name, accepts, expected] of OPERATION_SHAPE) {
    if (!accepts(own(value, name))) return breach("shape", `${name} must be ${expected}`);
  }
  // Each one above is there, so one more is one too many.
  if (Object.keys(value).length !== OPERATION_SHAPE.length) {
    return breach("shape", "the operation has a member that is not known");
  }
  const document = own(value, "document") as Members;
  for (const [name, accepts, expected] of DOCUMENT_SHAPE) {
    if (!accepts(own(document, name))) {
      return breach("shape", `document.${name} must be ${expected}`);
    }
  }
  return Object.hasOwn(document, "payload") && !isObject(document["payload"])
    ? breach("shape", "document.payload must be an object")
    : null;
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isRevision(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 2) return false;
  return Object.hasOwn(value, "deviceId") && Object.hasOwn(value, "sequence");
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
