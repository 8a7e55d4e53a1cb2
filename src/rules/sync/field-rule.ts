/** What a member of an operation or a field of a payload must be, in code and in words. */
import type { Members } from "../../contract/is-object.ts";
import { ruleError, type RuleError } from "./operation-error.ts";

export interface FieldRule {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
  readonly isOptional?: true;
  /** The code of the error, where it is not that of the other fields. */
  readonly code?: RuleError["code"];
}

export type FieldRules = readonly (readonly [name: string, rule: FieldRule])[];

export const booleanRule: FieldRule = {
  accepts: (value) => typeof value === "boolean",
  expected: "true or false",
};

export function oneOfRule(values: readonly unknown[]): FieldRule {
  return {
    accepts: (value) => values.includes(value),
    expected: values.join(", ").replace(/, (?=\w+$)/, " or "),
  };
}

/** Finds an error whose reason is `payload.name must be …`. Further fields are not checked. */
export function findFieldError(
  fields: Members,
  rules: FieldRules,
  prefix: string,
  code: RuleError["code"],
): RuleError | null {
  for (const [name, rule] of rules) {
    if (rule.accepts(fields[name])) continue;
    return ruleError(rule.code ?? code, `${prefix}${name} must be ${rule.expected}`);
  }
  return null;
}
