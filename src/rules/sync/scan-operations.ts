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
import { FieldTexts, NO_FIELDS } from "./field-texts.ts";
import { isReserved, metadataNamesOf } from "./metadata-names.ts";

export interface ScannedOperation {
  /** The operation's JSON exactly as it came. */
  readonly text: string;
  /**
   * Of all its objects, as written; more than in the parsed value when a name is given twice. Null for
   * a text that is what its value prints as, where nothing can be.
   */
  readonly memberCount: number | null;
  /** The JSON text of `revision.sequence`; empty when there is none. */
  readonly sequenceText: string;
  /** The members of the document's payload. */
  readonly payloadTexts: FieldTexts;
  /** The further members of the document. */
  readonly metadataTexts: FieldTexts;
}

/**
 * The elements of the one top-level `operations` list of a push body or a pulled page, of which
 * `values` is what was parsed from it; null when the body has no such list, or names it twice.
 */
export function scanOperations(
  body: string,
  values: readonly unknown[],
): ScannedOperation[] | null {
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
    operations = scanList(reader, values);
  }
  return operations;
}

/** One operation's own JSON text, such as the store keeps. */
export function scanOperation(text: string): ScannedOperation {
  return scanElement(readJson(text));
}

function scanList(reader: JsonReader, values: readonly unknown[]): ScannedOperation[] | null {
  if (!enterList(reader)) {
    passValue(reader);
    return null;
  }
  const operations: ScannedOperation[] = [];
  // Most devices print JSON like everybody else, and one that does not never does.
  let isPrinted = true;
  for (let index = 0; nextElement(reader); index++) {
    const printed: ScannedOperation | null = isPrinted ? takePrinted(reader, values[index]) : null;
    isPrinted = printed !== null;
    operations.push(printed ?? scanElement(reader));
  }
  return operations;
}

/** Passes the object that starts here when its text is what JSON prints of it; else nothing happens. */
function takePrinted(reader: JsonReader, value: unknown): ScannedOperation | null {
  const text = isObject(value) ? print(value) : null;
  if (text === null) return null;
  const end = reader.at + text.length;
  if (reader.text.slice(reader.at, end) !== text) return null;
  reader.at = end;
  const { revision, document } = value as Members;
  const sequence = isObject(revision) ? revision["sequence"] : undefined;
  const payload = isObject(document) ? document["payload"] : undefined;
  return {
    text,
    memberCount: null,
    sequenceText: sequence === undefined ? "" : JSON.stringify(sequence),
    payloadTexts: isObject(payload) ? printFields(payload, Object.keys(payload)) : NO_FIELDS,
    metadataTexts: isObject(document)
      ? printFields(document, metadataNamesOf(document))
      : NO_FIELDS,
  };
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Null when it is nested too deep to be printed. */
function print(value: Members): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

function printFields(members: Members, names: readonly string[]): FieldTexts {
  if (names.length === 0) return NO_FIELDS;
  return new FieldTexts(
    names,
    names.map((name) => printValue(members[name])),
  );
}

/** Of these, `String` makes the same as JSON, and sooner. */
function printValue(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : JSON.stringify(value);
}

function scanElement(reader: JsonReader): ScannedOperation {
  const start = reader.at;
  const membersBefore = reader.members;
  const payload = createCollector();
  const metadata = createCollector();
  let sequenceText = "";
  if (enterObject(reader)) {
    for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
      if (name === "revision") sequenceText = scanRevision(reader);
      else if (name === "document") scanDocument(reader, payload, metadata);
      else passValue(reader);
    }
  } else {
    passValue(reader);
  }
  return {
    text: reader.text.slice(start, reader.at),
    memberCount: reader.members - membersBefore,
    sequenceText,
    payloadTexts: new FieldTexts(payload.names, payload.texts),
    metadataTexts: new FieldTexts(metadata.names, metadata.texts),
  };
}

interface Collector {
  readonly names: string[];
  readonly texts: string[];
}

function createCollector(): Collector {
  return { names: [], texts: [] };
}

function scanRevision(reader: JsonReader): string {
  const { names, texts } = collectMembers(reader, createCollector());
  return texts[names.lastIndexOf("sequence")] ?? "";
}

function scanDocument(reader: JsonReader, payload: Collector, metadata: Collector): void {
  if (!enterObject(reader)) return passValue(reader);
  for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
    if (name === "payload") collectMembers(reader, payload);
    else if (isReserved(name)) passValue(reader);
    else collect(metadata, name, takeValue(reader));
  }
}

function collectMembers(reader: JsonReader, members: Collector): Collector {
  if (enterObject(reader)) {
    for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
      collect(members, name, takeValue(reader));
    }
  } else {
    passValue(reader);
  }
  return members;
}

function collect({ names, texts }: Collector, name: string, text: string): void {
  names.push(name);
  texts.push(text);
}
