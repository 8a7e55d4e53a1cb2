/**
 * What makes two texts the same operation: equal members in any order, with any white space and any
 * escapes, and numbers of equal value. Numbers are compared as decimals and not as floating-point
 * numbers, for which 9007199254740993 would be 9007199254740992 and 1e400 would be 1e999.
 */
import type { Operation } from "../../contract/sync/operation.ts";
import { haveSameNames, type FieldTexts } from "./field-texts.ts";
import {
  enterList,
  enterObject,
  nextElement,
  nextName,
  readJson,
  takeValue,
  type JsonReader,
} from "./json-text.ts";
import type { ScannedOperation } from "./scan-operations.ts";

/** Whether a push repeats the operation of that text; devices mostly send the very same text again. */
export function isSameContent(text: string, other: string): boolean {
  return text === other || canonicalContent(text) === canonicalContent(other);
}

/** One text for each content. */
export function canonicalContent(text: string): string {
  return canonicalValue(readJson(text), chooseSpelling(text));
}

/**
 * One text for each content of operations, to be hashed. Shorter than all of it: in an operation that
 * was validated the revision follows from the id, `deleted` from the kind, and versions are constant.
 */
export function operationContent(scanned: ScannedOperation, operation: Operation): string {
  const { operationId, kind, document, changedFields, changedMetadataFields } = operation;
  const spell = chooseSpelling(scanned.text);
  const payload = canonicalMembers(scanned.payloadTexts, spell);
  const metadata = canonicalMembers(scanned.metadataTexts, spell);
  // Ids are percent-encoded, so no space can be in them.
  return `${operationId} ${kind} ${document.entityId} ${payload} ${metadata} [${changedToText(changedFields)},${changedMetadataToText(changedMetadataFields)}]`;
}

function canonicalMembers({ names, texts }: FieldTexts, spell: Spell): string {
  if (names.length === 0) return "{}";
  let members = "{";
  for (const { opening, place } of inOrder(names)) {
    members += opening + canonicalText(texts[place] as string, spell);
  }
  return `${members}}`;
}

interface Member {
  /** The name as JSON, by which members are sorted, and what stands around it. */
  readonly opening: string;
  readonly place: number;
}

const inOrder = rememberLast((names): readonly Member[] =>
  names
    .map((name, place) => ({ label: JSON.stringify(name), place }))
    .sort((a, b) => (a.label < b.label ? -1 : 1))
    .map(({ label, place }, index) => ({ opening: `${index === 0 ? "" : ","}${label}:`, place })),
);
const changedToText = rememberLast((names) => JSON.stringify(names));
const changedMetadataToText = rememberLast((names) => JSON.stringify(names));

/** A device's operations mostly have the same fields as the one before. */
function rememberLast<T>(derive: (names: readonly string[]) => T): (names: readonly string[]) => T {
  let lastNames: readonly string[] = [];
  let last = derive(lastNames);
  return (names) => {
    if (!haveSameNames(names, lastNames)) {
      last = derive(names);
      lastNames = names;
    }
    return last;
  };
}

function canonicalText(text: string, spell: Spell): string {
  const first = text[0];
  if (first === '"') return spell(text);
  return first === "{" || first === "["
    ? canonicalValue(readJson(text), spell)
    : canonicalScalar(text);
}

/** Asked once for a whole text, and not for each of its strings. */
function chooseSpelling(text: string): Spell {
  return text.includes("\\") || !text.isWellFormed() ? canonicalString : takeAsItIs;
}

type Spell = (source: string) => string;

function canonicalValue(reader: JsonReader, spell: Spell): string {
  if (enterObject(reader)) return canonicalObject(reader, spell);
  if (enterList(reader)) return canonicalList(reader, spell);
  const source = takeValue(reader);
  return source.startsWith('"') ? spell(source) : canonicalScalar(source);
}

function canonicalObject(reader: JsonReader, spell: Spell): string {
  const members: string[] = [];
  for (let name = nextName(reader); name !== null; name = nextName(reader)) {
    members.push(`${spell(name)}:${canonicalValue(reader, spell)}`);
  }
  return `{${members.sort().join(",")}}`;
}

function canonicalList(reader: JsonReader, spell: Spell): string {
  const elements: string[] = [];
  while (nextElement(reader)) elements.push(canonicalValue(reader, spell));
  return `[${elements.join(",")}]`;
}

/** Without a backslash, and without half a surrogate pair, a string is spelled in one way only. */
const takeAsItIs: Spell = (source) => source;

const canonicalString: Spell = (source) => JSON.stringify(JSON.parse(source));

/** Nothing to take away at either end. */
const PLAIN_SCALAR = /^(?:true|false|null|0|-?[1-9](?:\d*[1-9])?)$/;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A number is written as its digits without outer zeros, and the power of ten that is left. */
function canonicalScalar(source: string): string {
  if (PLAIN_SCALAR.test(source)) return source;
  const match = NUMBER.exec(source);
  if (match === null) return source;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  let first = 0;
  let end = digits.length;
  // Patterns for this take quadratic time on a long run of zeros inside.
  while (digits[first] === "0") first++;
  while (end > first && digits[end - 1] === "0") end--;
  if (first === end) return "0";
  const power = BigInt(exponent) + BigInt(digits.length - end - fraction.length);
  return `${sign}${digits.slice(first, end)}${power === 0n ? "" : `e${power}`}`;
}
