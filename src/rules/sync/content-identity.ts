/**
 * What makes two texts the same operation: equal members in any order, with any white space and any
 * escapes, and numbers of equal value. Numbers are compared as decimals and not as floating-point
 * numbers, for which 9007199254740993 would be 9007199254740992 and 1e400 would be 1e999.
 */
import {
  enterList,
  enterObject,
  nextElement,
  nextName,
  readJson,
  takeValue,
  type JsonReader,
} from "./json-text.ts";

/** Whether a push repeats the operation of that text; devices mostly send the very same text again. */
export function isSameContent(text: string, other: string): boolean {
  return text === other || canonicalContent(text) === canonicalContent(other);
}

/** One text for each content. */
export function canonicalContent(text: string): string {
  return canonicalValue(readJson(text), chooseSpelling(text));
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
