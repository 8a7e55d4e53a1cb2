/** Reads path and query parameters by the contract's schemas, in the contract's order. */
import type { Static } from "typebox";
import { createChecker } from "../contract/check.ts";
import { parseQuery } from "../contract/parse-query.ts";
import type { Parameter, Route } from "../contract/route.ts";

export type ParameterValue<P extends Parameter> = P extends
  | { readonly required: true }
  | { readonly default: string | number }
  ? Static<P["schema"]>
  : Static<P["schema"]> | undefined;

type Values<T> =
  T extends Readonly<Record<string, Parameter>>
    ? { readonly [K in keyof T]: ParameterValue<T[K]> }
    : unknown;

/** What a handler is given: every declared parameter, checked; of a raw route only the path's. */
export type RouteInput<R extends Route> = Values<R["params"]> &
  (R extends { readonly reads: "raw" } ? unknown : Values<R["query"]>);

export interface ParameterError {
  readonly kind: "invalid-parameter";
  readonly name: string;
  /** As the contract declares it for this parameter or this route. */
  readonly code: string;
}

export type ReadInput = (
  values: readonly string[],
  search: string,
) => { readonly kind: "input"; readonly input: Record<string, unknown> } | ParameterError;

/** Compiled once per route. */
export function createInputReader(route: Route): ReadInput {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const params = Object.entries(route.params ?? {}).map(([name, parameter]) => ({
    name,
    index: names.indexOf(name),
    read: createParameterReader(name, parameter),
  }));
  const query = Object.entries(route.query ?? {}).map(([name, parameter]) => ({
    name,
    read: createParameterReader(name, parameter),
  }));
  const known = new Set(query.map(({ name }) => name));
  const { strictQuery } = route;
  const isRaw = route.reads === "raw";

  return (values, search) => {
    const input: Record<string, unknown> = {};
    for (const { index, read } of params) {
      const problem = read([values[index] ?? null], input);
      if (problem !== null) return problem;
    }
    if (isRaw) return { kind: "input", input };
    const given = search === "" ? NOTHING : parseQuery(search);
    if (strictQuery !== undefined) {
      for (const [name, list] of given) {
        if (list.includes(null)) return problem(name, strictQuery.malformed);
        if (!known.has(name)) return problem(name, strictQuery.unknown);
      }
    }
    for (const { name, read } of query) {
      const problem = read(given.get(name), input);
      if (problem !== null) return problem;
    }
    return { kind: "input", input };
  };
}

function problem(name: string, code: string): ParameterError {
  return { kind: "invalid-parameter", name, code };
}

const NOTHING: ReadonlyMap<string, (string | null)[]> = new Map();

function createParameterReader(name: string, parameter: Parameter) {
  const checker = createChecker(parameter.schema);
  const isInteger = (parameter.schema as { type?: string }).type === "integer";
  const { invalid } = parameter;
  const wrong = invalid === null ? null : problem(name, invalid);

  return (given: readonly (string | null)[] | undefined, input: Record<string, unknown>) => {
    if (given === undefined) {
      if (parameter.required === true) return wrong;
      input[name] = parameter.default;
      return null;
    }
    // A repeated parameter is a wrong value of it, never "the first one".
    const text = given.length === 1 ? given[0] : null;
    const value =
      text === null || text === undefined ? undefined : isInteger ? readInteger(text) : text;
    if (value === undefined || !checker.is(value)) return wrong;
    input[name] = value;
    return null;
  };
}

/** One spelling for each number: `0x10`, `1e2`, `+5`, ` 5`, `05` and `1.0` are none. */
const CANONICAL_INTEGER = /^[1-9][0-9]{0,15}$/;

function readInteger(text: string): number | undefined {
  return CANONICAL_INTEGER.test(text) ? Number(text) : undefined;
}
