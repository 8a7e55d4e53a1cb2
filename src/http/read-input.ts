/** Reads path and query parameters by the contract's schemas, in the contract's order. */
import type { Static } from "typebox";
import { createChecker } from "../contract/check.ts";
import { parseQuery } from "../contract/parse-query.ts";
import type { Parameter, Route } from "../contract/route.ts";

export type ParameterValue<P extends Parameter> = P extends
  | { readonly required: true }
  | { readonly default: string | number }
  ? GivenValue<P>
  : GivenValue<P> | undefined;

type GivenValue<P extends Parameter> = P extends { readonly anyLength: true }
  ? bigint
  : Static<P["schema"]>;

type Values<T> =
  T extends Readonly<Record<string, Parameter>>
    ? { readonly [K in keyof T]: ParameterValue<T[K]> }
    : unknown;

/** Every declared parameter, checked; on a raw route only those of the path. */
export type RouteInput<R extends Route> = Values<R["params"]> &
  (R extends { readonly reads: "raw" } ? unknown : Values<R["query"]>);

export interface ParameterError {
  readonly kind: "invalid-parameter";
  readonly name: string;
  /** The code that the contract declares for this parameter or this route. */
  readonly code: string;
  /** A handler sets the reason: the value is well-formed, but the configuration does not list it. */
  readonly reason?: "not-listed";
}

export type InputResult =
  | { readonly kind: "input"; readonly input: Record<string, unknown> }
  | ParameterError;

export type ReadInput = (values: readonly string[], search: string) => InputResult;

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
      const error = read([values[index] ?? null], input);
      if (error !== null) return error;
    }
    if (isRaw) return { kind: "input", input };
    const given = parseQuery(search);
    if (strictQuery !== undefined) {
      for (const [name, list] of given) {
        if (list.includes(null)) return invalid(name, strictQuery.malformed);
        if (!known.has(name)) return invalid(name, strictQuery.unknown);
      }
    }
    for (const { name, read } of query) {
      const error = read(given.get(name), input);
      if (error !== null) return error;
    }
    return { kind: "input", input };
  };
}

function invalid(name: string, code: string): ParameterError {
  return { kind: "invalid-parameter", name, code };
}

function createParameterReader(name: string, parameter: Parameter) {
  const read = createValueReader(parameter);
  const error = parameter.invalid === null ? null : invalid(name, parameter.invalid);

  return (given: readonly (string | null)[] | undefined, input: Record<string, unknown>) => {
    if (given === undefined) {
      if (parameter.required === true) return error;
      input[name] = parameter.default;
      return null;
    }
    // A repeated parameter is invalid: two readers might not choose the same of its values.
    const text = given.length === 1 ? given[0] : null;
    const value = text === null || text === undefined ? undefined : read(text);
    if (value === undefined) return error;
    input[name] = value;
    return null;
  };
}

/** One spelling for each number: `0x10`, `1e2`, `+5`, ` 5`, `05` and `1.0` are invalid. */
const CANONICAL_INTEGER = /^[1-9][0-9]*$/;
/** The length of 2^53, above which a number would be rounded before it is compared with its bounds. */
const MAX_DIGITS = 16;

/** Returns undefined for an invalid value. */
function createValueReader({ schema, anyLength }: Parameter): (text: string) => unknown {
  if (anyLength === true) {
    return (text) => (CANONICAL_INTEGER.test(text) ? BigInt(text) : undefined);
  }
  const checker = createChecker(schema);
  const isInteger = (schema as { type?: string }).type === "integer";
  return (text) => {
    const isDecimal = text.length <= MAX_DIGITS && CANONICAL_INTEGER.test(text);
    const value = !isInteger ? text : isDecimal ? Number(text) : undefined;
    return checker.is(value) ? value : undefined;
  };
}
