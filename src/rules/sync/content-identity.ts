/**
 * What makes two texts the same operation: equal members in any order, with any white space and any
 * escapes, numbers of equal value, and the same names of changed fields in any order. Numbers are compared as decimals and not as floating-point
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
} from "../../contract/json-scanner.ts";

export function isSameContent(text: string, other: string): boolean {
  return text === other || canonicalContent(text) === canonicalContent(other);
}

/** Operations with the same content have the same canonical text. */
export function canonicalContent(text: string): string {
  const scanner = createJsonScanner(text);
  return enterObject(scanner)
    ? canonicalObject(scanner, (name) =>
        NAME_LISTS.has(name) ? canonicalSet(scanner) : canonicalValue(scanner),
      )
    : canonicalValue(scanner);
}

/** The text of when field order counted: ledgers have digests of operations whose texts are gone. */
export function orderedContent(text: string): string {
  return canonicalValue(createJsonScanner(text));
}

/** The lists of an operation that are sets. */
const NAME_LISTS: ReadonlySet<string> = new Set(["changedFields", "changedMetadataFields"]);

function canonicalValue(scanner: JsonScanner): string {
  if (enterObject(scanner)) return canonicalObject(scanner, () => canonicalValue(scanner));
  if (enterList(scanner)) return `[${canonicalElements(scanner).join(",")}]`;
  const source = takeValue(scanner);
  return source.startsWith('"') ? JSON.stringify(JSON.parse(source)) : canonicalScalar(source);
}

function canonicalObject(scanner: JsonScanner, takeMember: (name: string) => string): string {
  const members: string[] = [];
  for (let name = nextMember(scanner); name !== null; name = nextMember(scanner)) {
    members.push(`${JSON.stringify(name)}:${takeMember(name)}`);
  }
  return `{${members.sort().join(",")}}`;
}

function canonicalSet(scanner: JsonScanner): string {
  if (!enterList(scanner)) return canonicalValue(scanner);
  return `[${canonicalElements(scanner).sort().join(",")}]`;
}

function canonicalElements(scanner: JsonScanner): string[] {
  const elements: string[] = [];
  while (nextElement(scanner)) elements.push(canonicalValue(scanner));
  return elements;
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
