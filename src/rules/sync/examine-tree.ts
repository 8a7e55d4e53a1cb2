/** One walk over a parsed operation for everything that holds at any depth. */
import { MAX_NESTING, MAX_STRING_CHARACTERS } from "../../contract/sync/operation-limits.ts";
import { breach, type RuleBreach } from "./operation-problem.ts";
import { looksSecret } from "./secret-name.ts";
import { hasMoreCharacters } from "./text-length.ts";

export interface TreeReport {
  readonly breach: RuleBreach | null;
  /** Of all objects; complete only without a breach. */
  readonly memberCount: number;
}

export function examineTree(value: unknown): TreeReport {
  let memberCount = 0;

  const examine = (value: unknown, level: number): RuleBreach | null => {
    if (typeof value === "string") return examineText(value);
    if (typeof value !== "object" || value === null) return null;
    if (level > MAX_NESTING) return TOO_DEEP;
    if (Array.isArray(value)) {
      for (const element of value) {
        const found = examine(element, level + 1);
        if (found !== null) return found;
      }
      return null;
    }
    const members = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(members)) {
      memberCount++;
      const found = examineName(name) ?? examine(members[name], level + 1);
      if (found !== null) return found;
    }
    return null;
  };

  return { breach: examine(value, 1), memberCount };
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

function examineText(text: string): RuleBreach | null {
  return hasMoreCharacters(text, MAX_STRING_CHARACTERS) ? TOO_LONG : null;
}

function examineName(name: string): RuleBreach | null {
  return examineText(name) ?? (looksSecret(name) ? SECRET : null);
}
