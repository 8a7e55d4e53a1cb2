/** Finds the route of a path, exactly: case-sensitive, no trailing slash, no empty segments. */
import { createBoundedCache } from "../contract/bounded-cache.ts";
import { MAX_TARGET_BYTES, type Method, type Route } from "../contract/route.ts";
import type { HttpError } from "./http-error.ts";
import type { InputResult, ReadInput } from "./read-input.ts";
import { toLoggedPath, type LoggedPath } from "./request-log.ts";
import { decodeSegments, splitTarget } from "./target.ts";

export interface RouteMatch<T> {
  readonly byMethod: ReadonlyMap<Method, T>;
  readonly maxTargetBytes: number;
  /** The decoded values of the path's parameters, in their order. */
  readonly values: readonly string[];
}

export type MatchRoute<T> = (path: string) => RouteMatch<T> | null | "malformed";

export function createRouteMatcher<T>(
  bindings: readonly { readonly route: Route; readonly bound: T }[],
): MatchRoute<T> {
  const patterns = [...Map.groupBy(bindings, ({ route }) => route.path)]
    .map(([path, group]) => ({
      segments: readPattern(path),
      byMethod: new Map(group.map(({ route, bound }) => [route.method, bound])),
      maxTargetBytes: Math.max(
        ...group.map(({ route }) => route.maxTargetBytes ?? MAX_TARGET_BYTES),
      ),
    }))
    // A literal segment goes before a parameter.
    .sort((a, b) => countParameters(a.segments) - countParameters(b.segments));

  return (path) => {
    const segments = path === "/" ? [] : decodeSegments(path);
    if (segments === null || segments === "malformed") return segments;
    const found = patterns.find((pattern) => fits(pattern.segments, segments));
    if (found === undefined) return null;
    return {
      byMethod: found.byMethod,
      maxTargetBytes: found.maxTargetBytes,
      values: segments.filter((_, index) => found.segments[index] === null),
    };
  };
}

/** Literal segments, and null for each parameter. */
type Pattern = readonly (string | null)[];

function readPattern(path: string): Pattern {
  const segments = path === "/" ? [] : path.slice(1).split("/");
  return segments.map((segment) => (segment.startsWith("{") ? null : segment));
}

function countParameters(pattern: Pattern): number {
  return pattern.filter((segment) => segment === null).length;
}

function fits(pattern: Pattern, segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((literal, index) => literal === null || literal === segments[index])
  );
}

export interface RoutedTarget<T> {
  readonly loggedPath: LoggedPath;
  /** The query as it came, without the question mark. */
  readonly search: string;
  /** What is bound to the path and its checked parameters, by method. */
  readonly routes:
    | ReadonlyMap<Method, { readonly bound: T; readonly input: InputResult }>
    | HttpError;
}

const MAX_CACHED_TARGETS = 1024;
const MAX_CACHED_LENGTH = 256;

/**
 * Clients ask for the same few targets again and again, and a target always means the same. The cache
 * saves 6 to 12 % of the processor time of a release route.
 */
export function createTargetRouter<T extends { readonly readInput: ReadInput }>(
  match: MatchRoute<T>,
): (target: string) => RoutedTarget<T> {
  const cache = createBoundedCache<string, RoutedTarget<T>>(MAX_CACHED_TARGETS);
  return (target) => {
    const cached = cache.get(target);
    if (cached !== undefined) return cached;
    const { path, search } = splitTarget(target);
    const routes = findRoutes(match, target, path, search);
    const routed = { loggedPath: toLoggedPath(path), search, routes };
    if (target.length <= MAX_CACHED_LENGTH) cache.set(target, routed);
    return routed;
  };
}

function findRoutes<T extends { readonly readInput: ReadInput }>(
  match: MatchRoute<T>,
  target: string,
  path: string,
  search: string,
): RoutedTarget<T>["routes"] {
  const found = match(path);
  const limit = found === null || found === "malformed" ? MAX_TARGET_BYTES : found.maxTargetBytes;
  if (target.length > limit) return { kind: "target-too-long" };
  if (found === null) return { kind: "unknown-path" };
  if (found === "malformed") return { kind: "malformed-target" };
  return new Map(
    [...found.byMethod].map(([method, bound]) => {
      const input = bound.readInput(found.values, search);
      // Every request for this target gets the same object.
      if (input.kind === "input") Object.freeze(input.input);
      return [method, { bound, input }];
    }),
  );
}
