/** The public message of a refused batch: every bad index and its rule, as far as they fit. */
import { MAX_MESSAGE_CHARACTERS } from "../../contract/sync/operation-limits.ts";
import type { OperationError } from "./operation-problem.ts";

export function describeErrors(problems: readonly OperationError[]): string {
  const full = problems.map(({ index, reason }) => `operation ${index}: ${reason}`).join("; ");
  const message = `Nothing was stored; ${full}`;
  return message.length <= MAX_MESSAGE_CHARACTERS ? message : describeByRule(problems);
}

/** Shorter: the rules by name, each with its indexes. */
function describeByRule(problems: readonly OperationError[]): string {
  const groups = [...Map.groupBy(problems, ({ rule }) => rule)].map(
    ([rule, group]) => `${rule}: ${formatIndexes(group.map(({ index }) => index))}`,
  );
  const message = `Nothing was stored; operations by broken rule: ${groups.join("; ")}`;
  return message.length <= MAX_MESSAGE_CHARACTERS ? message : describeIndexes(problems);
}

/** Shortest: who is bad, so that a device can set these aside and send the rest. */
function describeIndexes(problems: readonly OperationError[]): string {
  const rules = new Set(problems.map(({ rule }) => rule));
  const indexes = formatIndexes(problems.map(({ index }) => index));
  const message = `Nothing was stored; operations ${indexes} break ${[...rules].join(", ")}`;
  return message.length <= MAX_MESSAGE_CHARACTERS
    ? message
    : `${message.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…`;
}

/** Ascending indexes, runs as 3-7. */
function formatIndexes(indexes: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const index of indexes) {
    const run = runs.at(-1);
    if (run?.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(",");
}
