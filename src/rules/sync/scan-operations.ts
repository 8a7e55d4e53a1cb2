/** Finds the exact text of each operation in a body, and of each field in an operation. */
import {
  enterList,
  enterObject,
  nextElement,
  nextMember,
  passValue,
  readJson,
  takeValue,
  type JsonReader,
} from "./json-text.ts";

export interface ScannedOperation {
  /** The operation's JSON exactly as it came. */
  readonly text: string;
  /** Of all its objects, as written; more than in the parsed value when a name is given twice. */
  readonly memberCount: number;
  /** The JSON text of `revision.sequence`; empty when there is none. */
  readonly sequenceText: string;
  /** The JSON text of each member of the document. */
  readonly documentTexts: ReadonlyMap<string, string>;
  /** The JSON text of each member of the document's payload. */
  readonly payloadTexts: ReadonlyMap<string, string>;
}

/**
 * The elements of the one top-level `operations` list of a push body or a pulled page. The text must
 * be JSON that was parsed before; null when it has no such list, or names it twice.
 */
export function scanOperations(body: string): ScannedOperation[] | null {
  const reader = readJson(body);
  if (!enterObject(reader)) return null;
  let operations: ScannedOperation[] | null = null;
  let mentions = 0;
  for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
    if (name !== "operations") {
      passValue(reader);
      continue;
    }
    if (++mentions > 1) return null;
    operations = scanList(reader);
  }
  return operations;
}

/** One operation's own JSON text, such as the store keeps. */
export function scanOperation(text: string): ScannedOperation {
  return scanElement(readJson(text));
}

function scanList(reader: JsonReader): ScannedOperation[] | null {
  if (!enterList(reader)) {
    passValue(reader);
    return null;
  }
  const operations: ScannedOperation[] = [];
  while (nextElement(reader)) operations.push(scanElement(reader));
  return operations;
}

function scanElement(reader: JsonReader): ScannedOperation {
  const start = reader.at;
  const membersBefore = reader.members;
  const documentTexts = new Map<string, string>();
  const payloadTexts = new Map<string, string>();
  let sequenceText = "";
  if (enterObject(reader)) {
    for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
      if (name === "revision") sequenceText = scanRevision(reader);
      else if (name === "document") scanDocument(reader, documentTexts, payloadTexts);
      else passValue(reader);
    }
  } else {
    passValue(reader);
  }
  return {
    text: reader.text.slice(start, reader.at),
    memberCount: reader.members - membersBefore,
    sequenceText,
    documentTexts,
    payloadTexts,
  };
}

function scanRevision(reader: JsonReader): string {
  const members = new Map<string, string>();
  collectMembers(reader, members);
  return members.get("sequence") ?? "";
}

function scanDocument(
  reader: JsonReader,
  documentTexts: Map<string, string>,
  payloadTexts: Map<string, string>,
): void {
  if (!enterObject(reader)) return passValue(reader);
  for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
    const start = reader.at;
    if (name === "payload") collectMembers(reader, payloadTexts);
    else passValue(reader);
    documentTexts.set(name, reader.text.slice(start, reader.at));
  }
}

function collectMembers(reader: JsonReader, texts: Map<string, string>): void {
  if (!enterObject(reader)) return passValue(reader);
  for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
    texts.set(name, takeValue(reader));
  }
}
