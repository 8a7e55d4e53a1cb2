/**
 * What makes two texts the same operation: equal members in any order, with any white space and any
 * escapes, and numbers of equal value. Numbers are compared as decimals and not as floating-point
 * numbers, for which 9007199254740993 would be 9007199254740992 and 1e400 would be 1e999.
 */
import {
  createJsonScanner,
  enterList,
  enterObject,
  nextElement,
  nextMember,
  takeValue,
  type JsonScanner,
} from "./json-scanner.ts";

export function isSameContent(text: string, other: string): boolean {
  return text === other || canonicalContent(text) === canonicalContent(other);
}

/** One text for each content. */
export function canonicalContent(text: string): string {
  return canonicalValue(createJsonScanner(text));
}

function canonicalValue(scanner: JsonScanner): string {
  if (enterObject(scanner)) return canonicalObject(scanner);
  if (enterList(scanner)) return canonicalList(scanner);
  const source = takeValue(scanner);
  return source.startsWith('"') ? JSON.stringify(JSON.parse(source)) : canonicalScalar(source);
}

function canonicalObject(scanner: JsonScanner): string {
  const members: string[] = [];
  for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
    members.push(`${JSON.stringify(name)}:${canonicalValue(scanner)}`);
  }
  return `{${members.sort().join(",")}}`;
}

function canonicalList(scanner: JsonScanner): string {
  const elements: string[] = [];
  while (nextElement(scanner)) elements.push(canonicalValue(scanner));
  return `[${elements.join(",")}]`;
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
  // Regular expressions for this take quadratic time on a long run of zeros inside.
  while (digits[first] === "0") first++;
  while (end > first && digits[end - 1] === "0") end--;
  if (first === end) return "0";
  const power = BigInt(exponent) + BigInt(digits.length - end - fraction.length);
  return `${sign}${digits.slice(first, end)}${power === 0n ? "" : `e${power}`}`;
}
