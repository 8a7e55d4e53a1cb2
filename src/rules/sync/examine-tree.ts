/** One walk over a parsed operation for everything that holds at any depth. */
import { MAX_NESTING, MAX_STRING_CHARACTERS } from "../../contract/sync/operation-limits.ts";
import { breach, type RuleError } from "./operation-problem.ts";
import { looksSecret } from "./secret-name.ts";
import { hasMoreCharacters } from "./text-length.ts";

export interface TreeReport {
  readonly breach: RuleError | null;
  /** Of all objects; complete only without a breach. */
  readonly memberCount: number;
}

export function examineTree(value: unknown): TreeReport {
  const report = { breach: null, memberCount: 0 };
  examine(value, 1, report);
  return report;
}

type Findings = { -readonly [K in keyof TreeReport]: TreeReport[K] };

/** False, with the breach in the report, as soon as there is one. */
function examine(value: unknown, level: number, report: Findings): boolean {
  if (typeof value === "string") return isFree(examineText(value), report);
  if (typeof value !== "object" || value === null) return true;
  if (level > MAX_NESTING) return isFree(TOO_DEEP, report);
  if (Array.isArray(value)) {
    for (const element of value) if (!examine(element, level + 1, report)) return false;
    return true;
  }
  const members = value as Readonly<Record<string, unknown>>;
  // Parsed JSON has no members but its own; and this makes no list of them.
  for (const name in members) {
    report.memberCount++;
    if (!isFree(examineName(name), report)) return false;
    if (!examine(members[name], level + 1, report)) return false;
  }
  return true;
}

function isFree(breach: RuleError | null, report: Findings): boolean {
  report.breach = breach;
  return breach === null;
}

const TOO_DEEP = breach("nesting", `objects and lists must be nested at most ${MAX_NESTING} deep`);
const TOO_LONG = breach(
  "string_length",
  `text must have at most ${MAX_STRING_CHARACTERS} characters`,
);
const SECRET = breach(
  "secret_name",
  "a field's name looks like a secret's; credentials do not belong in sync",
);

function examineText(text: string): RuleError | null {
  return hasMoreCharacters(text, MAX_STRING_CHARACTERS) ? TOO_LONG : null;
}

/** Names come back again and again, and are few: those that were found good are remembered. */
const goodNames = new Set<string>();
const MAX_GOOD_NAMES = 1000;
const MAX_GOOD_NAME_LENGTH = 64;

function examineName(name: string): RuleError | null {
  if (goodNames.has(name)) return null;
  const breach = examineText(name) ?? (looksSecret(name) ? SECRET : null);
  if (breach === null && name.length <= MAX_GOOD_NAME_LENGTH) {
    if (goodNames.size >= MAX_GOOD_NAMES) goodNames.clear();
    goodNames.add(name);
  }
  return breach;
}
