/** The fields that the payload of a live document must have, by the type of its entity. */
import { isDateTime } from "../../contract/date-time.ts";
import {
  DAYS_OF_WEEK,
  HABIT_FREQUENCIES,
  MAX_ENTRY_ID_CHARACTERS,
  MAX_SETTING_BYTES,
} from "../../contract/sync/operation-limits.ts";
import type { Members } from "../../contract/is-object.ts";
import type { EntityId } from "./entity-id.ts";
import {
  findFieldError,
  booleanRule,
  oneOfRule,
  type FieldRule,
  type FieldRules,
} from "./field-rule.ts";
import { hasMoreBytes, hasMoreCharacters } from "./operation-bounds.ts";
import { ruleError, type RuleError } from "./operation-error.ts";
import type { Field } from "./operation-text.ts";

export function findPayloadError(
  entity: EntityId,
  payload: Members,
  fields: readonly Field[],
): RuleError | null {
  switch (entity.type) {
    case "habit":
      return (
        findIdentityError("id", payload["id"], entity.habitId) ??
        findRuleError(payload, HABIT_FIELDS)
      );
    case "entry":
      return (
        findIdentityError("habitId", payload["habitId"], entity.habitId) ??
        findIdentityError("date", payload["date"], entity.date) ??
        findRuleError(payload, ENTRY_FIELDS)
      );
    case "setting":
      return findSettingError(fields);
    case "open":
    case "sealed":
      return null;
  }
}

const atLeast = (minimum: number): FieldRule => ({
  accepts: (value) => typeof value === "number" && value >= minimum,
  expected: `a number of at least ${minimum}`,
});
const nonEmpty: FieldRule = {
  accepts: (value) => typeof value === "string" && value !== "",
  expected: "text that is not empty",
};
const frequency = oneOfRule(HABIT_FREQUENCIES);
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

export const HABIT_FIELDS: FieldRules = Object.entries({
  name: nonEmpty,
  color: nonEmpty,
  icon: nonEmpty,
  category: nonEmpty,
  frequency,
  targetCount: atLeast(1),
  customDays: optional(customDays),
  notificationEnabled: optional(booleanRule),
  notificationTime: optional(timeOfDay),
  isActive: booleanRule,
  createdAt: dateTime,
  description,
});

export const ENTRY_FIELDS: FieldRules = Object.entries({
  id: entryId,
  completed: booleanRule,
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

function findRuleError(payload: Members, rules: FieldRules): RuleError | null {
  return findFieldError(payload, rules, "payload.", "payload_field_type");
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
