/** The fields that the payload of a live document must have, by the type of its entity. */
import { isDateTime } from "../../contract/date-time.ts";
import {
  DAYS_OF_WEEK,
  HABIT_FREQUENCIES,
  MAX_ENTRY_ID_CHARACTERS,
  MAX_SETTING_BYTES,
} from "../../contract/sync/operation-limits.ts";
import type { EntityId } from "./entity-id.ts";
import { hasMoreBytes, hasMoreCharacters } from "./operation-bounds.ts";
import { ruleError, type RuleError } from "./operation-error.ts";
import type { Field } from "./operation-text.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Finds an error whose reason is `payload.name must be …`. Further fields are not checked. */
export function findPayloadError(
  entity: EntityId,
  payload: Payload,
  fields: readonly Field[],
): RuleError | null {
  switch (entity.type) {
    case "habit":
      return (
        findIdentityError("id", payload["id"], entity.habitId) ??
        findFieldError(payload, HABIT_FIELDS)
      );
    case "entry":
      return (
        findIdentityError("habitId", payload["habitId"], entity.habitId) ??
        findIdentityError("date", payload["date"], entity.date) ??
        findFieldError(payload, ENTRY_FIELDS)
      );
    case "setting":
      return findSettingError(fields);
    case "open":
      return null;
  }
}

export interface FieldRule {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
  readonly isOptional?: true;
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
const optional = ({ accepts, expected }: FieldRule): FieldRule => ({
  accepts: (value) => value === undefined || accepts(value),
  expected,
  isOptional: true,
});
const customDays: FieldRule = {
  accepts: (value) => value === null || isDayList(value),
  expected: `null or a list of different days, integers from 1 to ${DAYS_OF_WEEK}`,
};
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const timeOfDay: FieldRule = {
  accepts: (value) => value === null || (typeof value === "string" && TIME_OF_DAY.test(value)),
  expected: "null or a time of day as HH:mm",
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
// Apps also send local times; the service only carries them.
const dateTime: FieldRule = {
  accepts: (value) => typeof value === "string" && (isDateTime(value) || isDateTime(`${value}Z`)),
  expected: "an RFC 3339 date-time, with or without an offset",
};

export const HABIT_FIELDS: readonly (readonly [name: string, rule: FieldRule])[] = Object.entries({
  name: nonEmpty,
  color: nonEmpty,
  icon: nonEmpty,
  category: nonEmpty,
  frequency,
  targetCount: atLeast(1),
  customDays: optional(customDays),
  notificationEnabled: optional(flag),
  notificationTime: optional(timeOfDay),
  isActive: flag,
  createdAt: dateTime,
  description,
});

export const ENTRY_FIELDS: typeof HABIT_FIELDS = Object.entries({
  id: entryId,
  completed: flag,
  count: atLeast(0),
  timestamp: dateTime,
});

/** A list has no day twice, so at most seven. */
function isDayList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((day) => Number.isInteger(day) && day >= 1 && day <= DAYS_OF_WEEK) &&
    new Set(value).size === value.length
  );
}

function findFieldError(payload: Payload, rules: typeof HABIT_FIELDS): RuleError | null {
  for (const [name, { accepts, expected }] of rules) {
    if (accepts(payload[name])) continue;
    return ruleError("payload_field_type", `payload.${name} must be ${expected}`);
  }
  return null;
}

export const IDENTITY_EXPECTED = "that of the entity id";

function findIdentityError(name: string, value: unknown, expected: string): RuleError | null {
  return value === expected
    ? null
    : ruleError("payload_identity", `payload.${name} must be ${IDENTITY_EXPECTED}`);
}

function findSettingError([field, ...others]: readonly Field[]): RuleError | null {
  if (field?.name !== "value" || others.length > 0) {
    return ruleError("setting_members", "the payload of a setting is value alone");
  }
  return hasMoreBytes(field.json, MAX_SETTING_BYTES)
    ? ruleError("setting_too_large", `payload.value must be at most ${MAX_SETTING_BYTES} bytes`)
    : null;
}
