/**
 * What makes two texts the same operation: equal members in any order, with any white space and any
 * escapes, and numbers of equal value. Numbers are compared as decimals and not as floating-point
 * numbers, for which 9007199254740993 would be 9007199254740992 and 1e400 would be 1e999.
 */
import {
  isListAt,
  isObjectAt,
  isStringAt,
  skipSpace,
  skipString,
  skipValue,
  visitElements,
  visitMembers,
} from "./json-text.ts";

/** One text for each content, to be hashed. The operation must have been validated. */
export function canonicalContent(text: string): string {
  return canonicalValue(text, skipSpace(text, 0)).canonical;
}

interface Part {
  readonly canonical: string;
  readonly end: number;
}

function canonicalValue(text: string, start: number): Part {
  if (isObjectAt(text, start)) return canonicalObject(text, start);
  if (isListAt(text, start)) return canonicalList(text, start);
  if (isStringAt(text, start)) {
    const end = skipString(text, start);
    return { canonical: canonicalString(text.slice(start, end)), end };
  }
  const end = skipValue(text, start, { members: 0 });
  return { canonical: canonicalScalar(text.slice(start, end)), end };
}

function canonicalObject(text: string, start: number): Part {
  const members: string[] = [];
  const end = visitMembers(text, start, { members: 0 }, (name, at) => {
    const value = canonicalValue(text, at);
    members.push(`${JSON.stringify(name)}:${value.canonical}`);
    return value.end;
  });
  return { canonical: `{${members.sort().join(",")}}`, end };
}

function canonicalList(text: string, start: number): Part {
  const elements: string[] = [];
  const end = visitElements(text, start, (at) => {
    const value = canonicalValue(text, at);
    elements.push(value.canonical);
    return value.end;
  });
  return { canonical: `[${elements.join(",")}]`, end };
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
