/** The rules that an operation can break, and the message for a push that breaks some. */
import { MAX_MESSAGE_CHARACTERS } from "../../contract/sync/operation-limits.ts";
import {
  RULES_BY_CODE,
  type InvalidOperationCode,
} from "../../contract/sync/refused-operations.ts";

export interface RuleError {
  /** The code is for programs, and finer than the rule that the message of a push names. */
  readonly code: InvalidOperationCode;
  /** What is wrong and what was expected; never what a person wrote. */
  readonly reason: string;
  /** Where the value is, from the operation on. For the app alone: names are content. */
  readonly path?: readonly (string | number)[];
}

export interface OperationError extends RuleError {
  /** The index of the operation in its batch; the first is 0. */
  readonly index: number;
}

export function ruleError(code: InvalidOperationCode, reason: string): RuleError {
  return { code, reason };
}

/** Names every bad index and its rule, in as much detail as the bounded message has room for. */
export function describeErrors(errors: readonly OperationError[]): string {
  const details = [describeReasons(errors), describeRules(errors), describeIndexes(errors)];
  const fitting = details.find(({ length }) => length <= MAX_MESSAGE_CHARACTERS);
  return fitting ?? `${describeIndexes(errors).slice(0, MAX_MESSAGE_CHARACTERS - 1)}…`;
}

function describeReasons(errors: readonly OperationError[]): string {
  const reasons = errors.map(({ index, reason }) => `operation ${index}: ${reason}`);
  return `Nothing was stored; ${reasons.join("; ")}`;
}

function describeRules(errors: readonly OperationError[]): string {
  const groups = [...Map.groupBy(errors, ({ code }) => RULES_BY_CODE[code])].map(
    ([rule, group]) => `${rule}: ${formatIndexes(group)}`,
  );
  return `Nothing was stored; operations by broken rule: ${groups.join("; ")}`;
}

/** The least a device needs to set these operations aside and push the others. */
function describeIndexes(errors: readonly OperationError[]): string {
  const rules = new Set(errors.map(({ code }) => RULES_BY_CODE[code]));
  return `Nothing was stored; operations ${formatIndexes(errors)} break ${[...rules].join(", ")}`;
}

/** Ascending indexes, runs as 3-7. */
function formatIndexes(errors: readonly OperationError[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const { index } of errors) {
    const run = runs.at(-1);
    if (run?.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(",");
}
