/** Compiled checks of outside data, and faults that name the place and what was expected. */
import { Compile } from "typebox/compile";
import Format from "typebox/format";
import { Settings } from "typebox/system";
import type { Static, TSchema } from "typebox";
import { isDateTime } from "./date-time.ts";

Format.Set("date-time", isDateTime);
// The default reports eight faults and hides the rest; whoever mends a file wants them all.
Settings.Set({ maxErrors: 1000 });

export interface SchemaError {
  /** Where, as `artifacts[0].sha256`; empty for the whole document. */
  readonly path: string;
  /** What is wrong and what was expected, as the rest of a sentence that begins with the path. */
  readonly problem: string;
}

export interface Checker<T> {
  is(value: unknown): value is T;
  faults(value: unknown): SchemaError[];
}

export function createChecker<S extends TSchema>(schema: S): Checker<Static<S>> {
  // Compiled when it is first asked: a command line has many checks and needs few.
  let compiled: ReturnType<typeof Compile<S>> | undefined;
  const compile = () => (compiled ??= Compile(schema));
  return {
    is: (value): value is Static<S> => compile().Check(value),
    faults: (value) => {
      const problems = new Map<string, string>();
      for (const error of compile().Errors(value)) {
        for (const fault of readError(error, schema, value)) {
          if (!problems.has(fault.path)) problems.set(fault.path, fault.problem);
        }
      }
      return [...problems].map(([path, problem]) => ({ path, problem }));
    },
  };
}

type CompiledError = ReturnType<ReturnType<typeof Compile>["Errors"]>[number];

function readError(error: CompiledError, schema: TSchema, value: unknown): SchemaError[] {
  // The compiler reports every unknown member once more by itself, without its name.
  if (error.keyword === "boolean") return [];
  const pointer = error.instancePath.split("/").slice(1).map(unescapePointer);
  const place = (name?: string) => formatPath(name === undefined ? pointer : [...pointer, name]);
  if (error.keyword === "required") {
    return error.params.requiredProperties.map((name) => ({
      path: place(name),
      problem: `is missing; expected ${describeSchema(schemaAt(schema, [...pointer, name]))}`,
    }));
  }
  if (error.keyword === "additionalProperties") {
    const known = Object.keys(schemaAt(schema, pointer).properties ?? {});
    return error.params.additionalProperties.map((name) => ({
      path: place(name),
      problem:
        known.length > 0
          ? `is not known here; known are ${known.join(", ")}`
          : "is not a valid name",
    }));
  }
  const node = schemaAt(schema, pointer);
  const problem = `must be ${describeSchema(node)}`;
  if (node["x-secret"] === true) return [{ path: place(), problem }];
  return [{ path: place(), problem: `${problem}, not ${describeValue(valueAt(value, pointer))}` }];
}

/** The keywords that our schemas use. */
interface SchemaNode {
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  /** A wrong value of it is not shown. */
  readonly "x-secret"?: boolean;
}

function schemaAt(schema: TSchema, pointer: readonly string[]): SchemaNode {
  let at: SchemaNode = schema;
  for (const step of pointer) {
    const inside =
      at.properties?.[step] ?? at.items ?? Object.values(at.patternProperties ?? {})[0];
    if (inside === undefined) return at;
    at = inside;
  }
  return at;
}

function describeSchema(schema: SchemaNode): string {
  if (schema.description !== undefined && schema.pattern !== undefined) {
    return schema.description;
  }
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map(describeSchema).join(" or ");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    return `one of ${schema.enum.map((item) => JSON.stringify(item)).join(", ")}`;
  }
  if (schema.format === "date-time") return "an RFC 3339 date-time such as 2026-01-31T12:00:00Z";
  if (schema.pattern !== undefined) return `text that matches ${schema.pattern}`;
  switch (schema.type) {
    case "string":
      return describeText(schema);
    case "integer":
    case "number":
      return `a${schema.type === "integer" ? "n integer" : " number"}${describeRange(schema)}`;
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return `a list${describeLength(schema)}`;
    default:
      return "an object";
  }
}

function describeText({ minLength = 0, maxLength }: SchemaNode): string {
  if (maxLength !== undefined) return `text of ${minLength} to ${maxLength} characters`;
  return minLength === 1 ? "text that is not empty" : "text";
}

function describeRange({ minimum, maximum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function describeLength({ minItems, maxItems }: SchemaNode): string {
  if (minItems !== undefined) return ` of at least ${minItems}`;
  return maxItems === undefined ? "" : ` of at most ${maxItems}`;
}

function describeValue(value: unknown): string {
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function valueAt(value: unknown, pointer: readonly string[]): unknown {
  let at = value;
  for (const step of pointer) at = (at as Record<string, unknown> | undefined)?.[step];
  return at;
}

function formatPath(pointer: readonly string[]): string {
  return pointer.reduce(
    (path, step) =>
      /^\d+$/.test(step) ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`,
    "",
  );
}

function unescapePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
