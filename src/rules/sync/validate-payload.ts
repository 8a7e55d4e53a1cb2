/** What the payload of a live document must hold, by the type of its entity. */
import { isDateTime } from "../../contract/date-time.ts";
import {
  HABIT_FREQUENCIES,
  MAX_CUSTOM_DAYS,
  MAX_ENTRY_ID_CHARACTERS,
  MAX_SETTING_BYTES,
} from "../../contract/sync/operation-limits.ts";
import type { EntityId } from "./entity-id.ts";
import type { FieldTexts } from "./field-texts.ts";
import { hasMoreBytes, hasMoreCharacters } from "./text-length.ts";

type Payload = Readonly<Record<string, unknown>>;

/** What is wrong, as `payload.name must be …`, or null. Further fields are nobody's business. */
export function findPayloadProblem(
  entity: EntityId,
  payload: Payload,
  texts: FieldTexts,
): string | null {
  switch (entity.type) {
    case "habit":
      return (
        findIdentityProblem(payload, "id", entity.habitId) ?? findFieldProblem(payload, HABIT_RULES)
      );
    case "entry":
      return (
        findIdentityProblem(payload, "habitId", entity.habitId) ??
        findIdentityProblem(payload, "date", entity.date) ??
        findFieldProblem(payload, ENTRY_RULES)
      );
    case "setting":
      return findSettingProblem(texts);
    case "open":
      return null;
  }
}

interface FieldRule {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
}

const atLeast = (minimum: number): FieldRule => ({
  accepts: (value) => typeof value === "number" && value >= minimum,
  expected: `a number of at least ${minimum}`,
});
const nonEmpty: FieldRule = {
  accepts: (value) => typeof value === "string" && value !== "",
  expected: "text that is not empty",
};
const flag: FieldRule = {
  accepts: (value) => typeof value === "boolean",
  expected: "true or false",
};
const frequency: FieldRule = {
  accepts: (value) => HABIT_FREQUENCIES.some((known) => known === value),
  expected: HABIT_FREQUENCIES.join(", ").replace(/, (?=\w+$)/, " or "),
};
const customDays: FieldRule = {
  accepts: (value) =>
    value === undefined ||
    value === null ||
    (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CUSTOM_DAYS),
  expected: `null or an integer from 1 to ${MAX_CUSTOM_DAYS}`,
};
const description: FieldRule = {
  accepts: (value) => value === null || typeof value === "string",
  expected: "text or null",
};
const entryId: FieldRule = {
  accepts: (value) =>
    typeof value === "string" && value !== "" && !hasMoreCharacters(value, MAX_ENTRY_ID_CHARACTERS),
  expected: `text of 1 to ${MAX_ENTRY_ID_CHARACTERS} characters`,
};
// Apps send their local time too, and the service only carries it.
const dateTime: FieldRule = {
  accepts: (value) => typeof value === "string" && (isDateTime(value) || isDateTime(`${value}Z`)),
  expected: "an ISO 8601 date-time, with or without an offset",
};

type FieldRules = readonly (readonly [name: string, rule: FieldRule])[];

const HABIT_RULES: FieldRules = Object.entries({
  name: nonEmpty,
  color: nonEmpty,
  icon: nonEmpty,
  category: nonEmpty,
  frequency,
  targetCount: atLeast(1),
  customDays,
  isActive: flag,
  createdAt: dateTime,
  description,
});

const ENTRY_RULES: FieldRules = Object.entries({
  id: entryId,
  completed: flag,
  count: atLeast(0),
  timestamp: dateTime,
});

// No field that a rule names is one that every object inherits.

function findIdentityProblem(payload: Payload, name: string, expected: string): string | null {
  return payload[name] === expected ? null : `payload.${name} must be that of the entity id`;
}

function findFieldProblem(payload: Payload, rules: FieldRules): string | null {
  for (const [name, { accepts, expected }] of rules) {
    if (!accepts(payload[name])) return `payload.${name} must be ${expected}`;
  }
  return null;
}

function findSettingProblem(texts: FieldTexts): string | null {
  const value = texts.get("value");
  if (value === undefined || texts.names.length !== 1)
    return "the payload of a setting is value alone";
  return hasMoreBytes(value, MAX_SETTING_BYTES)
    ? `payload.value must be at most ${MAX_SETTING_BYTES} bytes`
    : null;
}
