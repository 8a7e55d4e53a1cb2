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
export function findPayloadError(
  entity: EntityId,
  payload: Payload,
  texts: FieldTexts,
): string | null {
  switch (entity.type) {
    case "habit":
      return findIdentityError("id", payload["id"], entity.habitId) ?? findHabitError(payload);
    case "entry":
      return (
        findIdentityError("habitId", payload["habitId"], entity.habitId) ??
        findIdentityError("date", payload["date"], entity.date) ??
        findEntryError(payload)
      );
    case "setting":
      return findSettingError(texts);
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
const atLeastOne = atLeast(1);
const atLeastZero = atLeast(0);
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

// Every field by its name and not in a loop: each operation of each push is asked. No field that is
// named here is one that every object inherits.

function findHabitError(payload: Payload): string | null {
  return (
    findProblem("name", payload["name"], nonEmpty) ??
    findProblem("color", payload["color"], nonEmpty) ??
    findProblem("icon", payload["icon"], nonEmpty) ??
    findProblem("category", payload["category"], nonEmpty) ??
    findProblem("frequency", payload["frequency"], frequency) ??
    findProblem("targetCount", payload["targetCount"], atLeastOne) ??
    findProblem("customDays", payload["customDays"], customDays) ??
    findProblem("isActive", payload["isActive"], flag) ??
    findProblem("createdAt", payload["createdAt"], dateTime) ??
    findProblem("description", payload["description"], description)
  );
}

function findEntryError(payload: Payload): string | null {
  return (
    findProblem("id", payload["id"], entryId) ??
    findProblem("completed", payload["completed"], flag) ??
    findProblem("count", payload["count"], atLeastZero) ??
    findProblem("timestamp", payload["timestamp"], dateTime)
  );
}

function findProblem(name: string, value: unknown, { accepts, expected }: FieldRule) {
  return accepts(value) ? null : `payload.${name} must be ${expected}`;
}

function findIdentityError(name: string, value: unknown, expected: string): string | null {
  return value === expected ? null : `payload.${name} must be that of the entity id`;
}

function findSettingError(texts: FieldTexts): string | null {
  const value = texts.get("value");
  if (value === undefined || texts.names.length !== 1)
    return "the payload of a setting is value alone";
  return hasMoreBytes(value, MAX_SETTING_BYTES)
    ? `payload.value must be at most ${MAX_SETTING_BYTES} bytes`
    : null;
}
