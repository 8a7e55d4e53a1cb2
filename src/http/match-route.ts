/** Finds the route of a path, exactly: case-sensitive, no trailing slash, no empty segments. */
import type { Method, Route } from "../contract/route.ts";
import { decodeSegments } from "./target.ts";

export interface RouteMatch<T> {
  /** What is bound to the path, by method. */
  readonly byMethod: ReadonlyMap<Method, T>;
  /** The decoded values of the path's parameters, in their order. */
  readonly values: readonly string[];
}

export type MatchRoute<T> = (path: string) => RouteMatch<T> | null | "malformed";

interface Pattern<T> {
  /** Literal segments; null stands for a parameter. */
  readonly segments: readonly (string | null)[];
  readonly byMethod: Map<Method, T>;
}

export function createRouteMatcher<T>(
  bindings: readonly { readonly route: Route; readonly bound: T }[],
): MatchRoute<T> {
  const literals = new Map<string, RouteMatch<T> & { byMethod: Map<Method, T> }>();
  const patterns = new Map<string, Pattern<T>>();
  for (const { route, bound } of bindings) {
    const literal = !route.path.includes("{");
    const entry = literal
      ? getOrCreate(literals, route.path, () => ({ byMethod: new Map(), values: [] }))
      : getOrCreate(patterns, route.path, () => ({
          segments: readPattern(route.path),
          byMethod: new Map(),
        }));
    entry.byMethod.set(route.method, bound);
  }
  const patternsByLength = Map.groupBy(patterns.values(), ({ segments }) => segments.length);

  return (path) => {
    const literal = literals.get(path);
    if (literal !== undefined) return literal;
    const segments = decodeSegments(path);
    if (segments === null || segments === "malformed") return segments;
    // An escape may hide a letter of a literal path, but an escaped slash is no separator.
    if (path.includes("%") && !segments.some((segment) => segment.includes("/"))) {
      const decoded = literals.get(`/${segments.join("/")}`);
      if (decoded !== undefined) return decoded;
    }
    const pattern = patternsByLength
      .get(segments.length)
      ?.find((candidate) => fits(candidate.segments, segments));
    if (pattern === undefined) return null;
    return {
      byMethod: pattern.byMethod,
      values: segments.filter((_, index) => pattern.segments[index] === null),
    };
  };
}

function readPattern(path: string): (string | null)[] {
  return path
    .slice(1)
    .split("/")
    .map((segment) => (segment.startsWith("{") ? null : segment));
}

function fits(pattern: readonly (string | null)[], segments: readonly string[]): boolean {
  return pattern.every((literal, index) => literal === null || literal === segments[index]);
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
