/** The bounds of an operation that hold at any depth: its size, its nesting, its strings and its names. */
import {
  MAX_NESTING,
  MAX_OPERATION_BYTES,
  MAX_SEALED_OPERATION_BYTES,
  MAX_STRING_CHARACTERS,
  type SyncProfile,
} from "../../contract/sync/operation-limits.ts";
import { encodeUtf8 } from "../web-crypto.ts";
import { ruleError, type RuleError } from "./operation-error.ts";
import type { ScannedOperation } from "./operation-text.ts";

/** `goodNames` are names that were checked before; the operations of a push share most of theirs. */
export function findBoundsError(
  { text, value, memberCount }: Pick<ScannedOperation, "text" | "value" | "memberCount">,
  profile: SyncProfile,
  goodNames: Set<string>,
): RuleError | null {
  const isSealed = profile === "sealed";
  const maxBytes = isSealed ? MAX_SEALED_OPERATION_BYTES : MAX_OPERATION_BYTES;
  if (hasMoreBytes(text, maxBytes)) {
    return ruleError("too_large", `the operation must be at most ${maxBytes} bytes`);
  }
  const tree: TreeReport = { error: null, path: [], memberCount: 0, isSealed, goodNames };
  inspectValue(value, 1, tree);
  if (tree.error !== null) return { ...tree.error, path: tree.path.toReversed() };
  // Parsers differ in which of two equal names they take: devices must not read what was not checked.
  return tree.memberCount === memberCount
    ? null
    : ruleError("member_repeated", "a member name is given twice in one object");
}

const SECRET_WORD = "(?:token|secret|password|credential|apikey)s?";
const QUALIFIER = "access|refresh|auth|bearer|client|id|session";
/** A name of such words alone; `tokenCount` and `passwordHint` are ordinary fields. */
const SECRET = new RegExp(`^(?:${QUALIFIER})*${SECRET_WORD}(?:${QUALIFIER}|${SECRET_WORD})*$`, "i");

/** Whether the name is that of a secret: `token`, `apiKey`, `access_token`, `CLIENT-SECRET`. */
export function looksSecret(name: string): boolean {
  return SECRET.test(name.replace(/[\s._-]+/g, ""));
}

/** Whether the text is longer than `limit` characters (code points). */
export function hasMoreCharacters(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let characters = 0;
  for (const _ of text) if (++characters > limit) return true;
  return false;
}

/** Whether the text takes more than `limit` bytes in UTF-8. */
export function hasMoreBytes(text: string, limit: number): boolean {
  // A code unit is one to three bytes, so most texts need no count.
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return utf8Length(text) > limit;
}

/** Half a surrogate pair counts as the replacement character that encoders write for it. */
export function utf8Length(text: string): number {
  return encodeUtf8(text).length;
}

interface TreeReport {
  error: RuleError | null;
  /** The steps to the error, the last one first. */
  readonly path: (string | number)[];
  /** The number of members of all objects; complete only without an error. */
  memberCount: number;
  /** Whether texts have no meaning: a sealed one may have any length, and random names any word. */
  readonly isSealed: boolean;
  readonly goodNames: Set<string>;
}

/** Stops at the first error, and then returns false. */
function inspectValue(value: unknown, level: number, report: TreeReport): boolean {
  if (typeof value === "string") return report.isSealed || isGood(findTextError(value), report);
  if (typeof value !== "object" || value === null) return true;
  if (level > MAX_NESTING) return isGood(TOO_DEEP, report);
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      if (!inspectValue(element, level + 1, report)) return isBelow(index, report);
    }
    return true;
  }
  const members = value as Readonly<Record<string, unknown>>;
  // Parsed JSON has no members but its own.
  for (const name in members) {
    report.memberCount++;
    if (!isGoodName(name, report)) return isBelow(name, report);
    if (!inspectValue(members[name], level + 1, report)) return isBelow(name, report);
  }
  return true;
}

function isGood(error: RuleError | null, report: TreeReport): boolean {
  report.error = error;
  return error === null;
}

/** Notes the step to an error, and goes on returning false. */
function isBelow(step: string | number, report: TreeReport): false {
  report.path.push(step);
  return false;
}

function isGoodName(name: string, report: TreeReport): boolean {
  if (report.goodNames.has(name) || report.isSealed) return true;
  if (!isGood(findNameError(name), report)) return false;
  report.goodNames.add(name);
  return true;
}

const TOO_DEEP = ruleError(
  "nested_too_deeply",
  `objects and lists must be nested at most ${MAX_NESTING} deep`,
);
const TOO_LONG = ruleError(
  "string_too_long",
  `text must have at most ${MAX_STRING_CHARACTERS} characters`,
);
const SECRET_NAME = ruleError(
  "secret_name",
  "a field has the name of a secret; credentials do not belong in sync",
);

function findTextError(text: string): RuleError | null {
  return hasMoreCharacters(text, MAX_STRING_CHARACTERS) ? TOO_LONG : null;
}

function findNameError(name: string): RuleError | null {
  return findTextError(name) ?? (looksSecret(name) ? SECRET_NAME : null);
}
