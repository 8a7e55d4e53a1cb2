import type { UntypedOptions } from "./collection-settings.ts";

/** Says how two collections of one type differ in what they store and list; null when they do not. */
export function findDifference(one: UntypedOptions, other: UntypedOptions): string | null {
  const [before, now] = [describe(one), describe(other)];
  const names = [...new Set([...before.keys(), ...now.keys()])];
  const name = names.find((part) => before.get(part) !== now.get(part));
  if (name === undefined) return null;
  const [was = "nothing", is = "nothing"] = [before.get(name), now.get(name)];
  return `${name} was ${was}, and is ${is}`;
}

/** Texts by the name of an option. Functions are compared by their source: a module may be run again. */
function describe({ indexes = [], kinds = {}, evolve = {} }: UntypedOptions): Map<string, string> {
  const parts = new Map([["indexes", toText(indexes.map((index) => [index].flat()).sort())]]);
  for (const [field, kind] of Object.entries(kinds)) parts.set(`kinds.${field}`, toText(kind));
  for (const [field, { from, read, write }] of Object.entries(evolve)) {
    parts.set(`evolve.${field}.from`, toText([...from].sort()));
    parts.set(`evolve.${field}.read`, String(read));
    if (write !== undefined) parts.set(`evolve.${field}.write`, String(write));
  }
  return parts;
}

const toText = (value: unknown) => JSON.stringify(value);
