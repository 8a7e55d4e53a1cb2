/**
 * What makes two texts the same operation: equal members in any order, with any white space and any
 * escapes, and numbers of equal value. Numbers are compared as decimals and not as floating-point
 * numbers, for which 9007199254740993 would be 9007199254740992 and 1e400 would be 1e999.
 */
import {
  enterList,
  enterObject,
  nextElement,
  nextMember,
  readJson,
  takeValue,
  type JsonReader,
} from "./json-text.ts";

/** Whether a push repeats the operation of that text; devices mostly send the very same text again. */
export function isSameContent(text: string, other: string): boolean {
  return text === other || canonicalContent(text) === canonicalContent(other);
}

/** One text for each content, to be hashed. The operation must have been validated. */
export function canonicalContent(text: string): string {
  return canonicalValue(readJson(text));
}

function canonicalValue(reader: JsonReader): string {
  if (enterObject(reader)) return canonicalObject(reader);
  if (enterList(reader)) return canonicalList(reader);
  const source = takeValue(reader);
  return source.startsWith('"') ? canonicalString(source) : canonicalScalar(source);
}

function canonicalObject(reader: JsonReader): string {
  const members: string[] = [];
  for (let name = nextMember(reader); name !== null; name = nextMember(reader)) {
    members.push(`${JSON.stringify(name)}:${canonicalValue(reader)}`);
  }
  return `{${members.sort().join(",")}}`;
}

function canonicalList(reader: JsonReader): string {
  const elements: string[] = [];
  while (nextElement(reader)) elements.push(canonicalValue(reader));
  return `[${elements.join(",")}]`;
}

/** Without a backslash, and without half a surrogate pair, a string is spelled in one way only. */
function canonicalString(source: string): string {
  return source.includes("\\") || !source.isWellFormed()
    ? JSON.stringify(JSON.parse(source))
    : source;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A number is written as its digits without outer zeros, and the power of ten that is left. */
function canonicalScalar(source: string): string {
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
