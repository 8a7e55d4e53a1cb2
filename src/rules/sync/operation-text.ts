/** The texts of operations in a body, and of the fields in an operation, exactly as they were sent. */
import { DOCUMENT_MEMBERS, type OperationKind } from "../../contract/sync/operation-limits.ts";
import type { Operation, Revision } from "../../contract/sync/operation.ts";
import {
  createJsonScanner,
  enterList,
  enterObject,
  nextElement,
  nextMember,
  skipValue,
  takeValue,
  type JsonScanner,
} from "../../contract/json-scanner.ts";

export interface Field {
  readonly name: string;
  /** The value as the JSON text that its device wrote: 2^53 + 1 stays what it is. */
  readonly json: string;
}

export interface ScannedOperation {
  /** The operation's JSON exactly as it came. */
  readonly text: string;
  /** What `JSON.parse` makes of the text. */
  readonly value: unknown;
  /** Counts the members as written: more than the parsed value has when a name is repeated. */
  readonly memberCount: number;
  /** The JSON text of `revision.sequence`; empty when it is missing. */
  readonly sequenceText: string;
  /** The members of the document's payload. */
  readonly payload: readonly Field[];
  /** The further members of the document. */
  readonly metadata: readonly Field[];
}

/** A valid operation, with the fields that it writes. */
export interface ParsedOperation {
  /** The text as pushed, and as sent to every device. */
  readonly text: string;
  readonly operationId: string;
  readonly entityId: string;
  readonly kind: OperationKind;
  readonly revision: Revision;
  readonly payloadFields: readonly Field[];
  readonly metadataFields: readonly Field[];
  /** What `JSON.parse` made of the text; absent where no text was read. */
  readonly value?: Operation;
  /** What is sealed of the operation; known once the rules of the profile `sealed` were checked. */
  readonly envelope?: SealedEnvelope;
}

export interface SealedEnvelope {
  /** The id of the key that it is sealed under. */
  readonly keyId: string;
  /** The nonce, the cipher text and the tag. */
  readonly bytes: Uint8Array;
}

/** Scans the top-level `operations`, parsed as `values`; null when there is no such list, or two. */
export function scanOperations(
  body: string,
  values: readonly unknown[],
): ScannedOperation[] | null {
  const scanner = createJsonScanner(body);
  if (!enterObject(scanner)) return null;
  let operations: ScannedOperation[] | null = null;
  let mentions = 0;
  for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
    if (name !== "operations") {
      skipValue(scanner);
      continue;
    }
    if (++mentions > 1) return null;
    operations = scanList(scanner, values);
  }
  return operations;
}

/** Reads the text of an operation, for `validateOperation`. */
export function scanOperation(text: string): ScannedOperation {
  return scanValue(createJsonScanner(text), JSON.parse(text));
}

/** The text must be that of a valid operation, such as one that was stored. */
export function parseOperation(text: string): ParsedOperation {
  return toParsedOperation(scanOperation(text));
}

/** The operation must be valid. */
export function toParsedOperation(scanned: ScannedOperation): ParsedOperation {
  const operation = scanned.value as Operation;
  return {
    text: scanned.text,
    operationId: operation.operationId,
    entityId: operation.document.entityId,
    kind: operation.kind,
    revision: operation.revision,
    payloadFields: pickFields(scanned.payload, operation.changedFields),
    metadataFields: pickFields(scanned.metadata, operation.changedMetadataFields),
    value: operation,
  };
}

/** The fields of these names: as many as there are names, if each is that of a field and none is repeated. */
export function pickFields(fields: readonly Field[], names: readonly string[]): readonly Field[] {
  const inOrder: Field[] = [];
  // An app names fields in their order, which needs no set.
  for (const field of fields) if (field.name === names[inOrder.length]) inOrder.push(field);
  if (inOrder.length === names.length) return inOrder;
  const named = new Set(names);
  return fields.filter(({ name }) => named.has(name));
}

function scanList(scanner: JsonScanner, values: readonly unknown[]): ScannedOperation[] | null {
  if (!enterList(scanner)) {
    skipValue(scanner);
    return null;
  }
  const operations: ScannedOperation[] = [];
  for (let index = 0; nextElement(scanner); index++) {
    operations.push(scanValue(scanner, values[index]));
  }
  return operations;
}

function scanValue(scanner: JsonScanner, value: unknown): ScannedOperation {
  const start = scanner.position;
  const membersBefore = scanner.memberCount;
  const payload: Field[] = [];
  const metadata: Field[] = [];
  let sequenceText = "";
  if (enterObject(scanner)) {
    for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
      if (name === "revision") sequenceText = scanSequence(scanner);
      else if (name === "document") scanDocument(scanner, payload, metadata);
      else skipValue(scanner);
    }
  } else {
    skipValue(scanner);
  }
  return {
    text: scanner.text.slice(start, scanner.position),
    value,
    memberCount: scanner.memberCount - membersBefore,
    sequenceText,
    payload,
    metadata,
  };
}

function scanSequence(scanner: JsonScanner): string {
  let sequenceText = "";
  if (!enterObject(scanner)) {
    skipValue(scanner);
    return sequenceText;
  }
  for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
    if (name === "sequence") sequenceText = takeValue(scanner);
    else skipValue(scanner);
  }
  return sequenceText;
}

function scanDocument(scanner: JsonScanner, payload: Field[], metadata: Field[]): void {
  if (!enterObject(scanner)) return skipValue(scanner);
  for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
    if (name === "payload") collectMembers(scanner, payload);
    else if (isDocumentMember(name)) skipValue(scanner);
    else metadata.push({ name, json: takeValue(scanner) });
  }
}

function isDocumentMember(name: string): boolean {
  return DOCUMENT_MEMBERS.some((member) => member === name);
}

function collectMembers(scanner: JsonScanner, members: Field[]): void {
  if (!enterObject(scanner)) return skipValue(scanner);
  for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
    members.push({ name, json: takeValue(scanner) });
  }
}
