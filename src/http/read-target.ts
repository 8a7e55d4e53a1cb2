/**
 * What a request target means: its parts, its route, its checked parameters. That never changes, and
 * clients ask for the same few targets again and again, so the meanings of short ones are kept.
 */
import type { MatchRoute } from "./match-route.ts";
import type { ReadInput } from "./read-input.ts";
import { splitTarget, type Target } from "./target.ts";

export interface ReadTarget<T> extends Target {
  readonly match: ReturnType<MatchRoute<T>>;
  /** What the parameters are for a route that the path matches. */
  read(bound: T): ReturnType<ReadInput>;
}

const MAX_KEPT_TARGETS = 1024;
const MAX_KEPT_LENGTH = 256;

export function createTargetReader<T extends { readonly read: ReadInput }>(
  match: MatchRoute<T>,
): (target: string) => ReadTarget<T> {
  const kept = new Map<string, ReadTarget<T>>();
  return (target) => {
    const known = kept.get(target);
    if (known !== undefined) return known;
    const made = readTarget(match, target);
    if (target.length <= MAX_KEPT_LENGTH) {
      // Starting over is cheaper than choosing, and junk cannot stay for good.
      if (kept.size >= MAX_KEPT_TARGETS) kept.clear();
      kept.set(target, made);
    }
    return made;
  };
}

function readTarget<T extends { readonly read: ReadInput }>(
  match: MatchRoute<T>,
  target: string,
): ReadTarget<T> {
  const { path, search } = splitTarget(target);
  const found = match(path);
  const readings = new Map<T, ReturnType<ReadInput>>();
  return {
    path,
    search,
    match: found,
    read(bound) {
      const known = readings.get(bound);
      if (known !== undefined) return known;
      const values = found === null || found === "malformed" ? [] : found.values;
      const reading = bound.read(values, search);
      // It is given to every request for this target.
      if (reading.kind === "input") Object.freeze(reading.input);
      readings.set(bound, reading);
      return reading;
    },
  };
}
