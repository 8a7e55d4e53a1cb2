import { Compile } from "typebox/compile";
import Format from "typebox/format";
import { Settings } from "typebox/system";
import { Check } from "typebox/value";
import type { Static, TSchema } from "typebox";
import { isDateTime } from "./date-time.ts";

Format.Set("date-time", isDateTime);
// The default is eight; an author who repairs a file needs to see them all.
Settings.Set({ maxErrors: 1000 });

export interface SchemaError {
  /** The path of the value, such as `artifacts[0].sha256`; empty for the whole document. */
  readonly path: string;
  /** The rest of a sentence that begins with the path: what is wrong, and what was expected. */
  readonly problem: string;
}

export interface Checker<T> {
  is(value: unknown): value is T;
  errors(value: unknown): SchemaError[];
}

/** Checks values against a schema, and lists what is wrong. */
export function createChecker<S extends TSchema>(schema: S): Checker<Static<S>> {
  return {
    is: (value): value is Static<S> => {
      if (usedSchemas.has(schema)) return compileOnce(schema).Check(value);
      usedSchemas.add(schema);
      return Check(schema, value);
    },
    errors: (value) => {
      const errorsByPath = new Map<string, SchemaError>();
      for (const error of compileOnce(schema).Errors(value)) {
        for (const found of readError(error, schema, value)) {
          if (!errorsByPath.has(found.path)) errorsByPath.set(found.path, found);
        }
      }
      return [...errorsByPath.values()];
    },
  };
}

/** To compile takes longer than one check, which is all that a command needs of its configuration. */
const usedSchemas = new WeakSet<TSchema>();

/** A server with many instances creates the checkers of its routes for each of them. */
const compiledBySchema = new WeakMap<TSchema, ReturnType<typeof Compile>>();

function compileOnce(schema: TSchema): ReturnType<typeof Compile> {
  const compiled = compiledBySchema.get(schema) ?? Compile(schema);
  compiledBySchema.set(schema, compiled);
  return compiled;
}

type CompiledError = ReturnType<ReturnType<typeof Compile>["Errors"]>[number];

function readError(error: CompiledError, schema: TSchema, value: unknown): SchemaError[] {
  // The compiler reports every unknown member a second time, without its name.
  if (error.keyword === "boolean") return [];
  const pointer = error.instancePath.split("/").slice(1).map(unescapePointer);
  if (error.keyword === "required") {
    return error.params.requiredProperties.map((name) => ({
      path: formatPath([...pointer, name]),
      problem: `is missing; expected ${describeSchema(schemaAt(schema, [...pointer, name]))}`,
    }));
  }
  if (error.keyword === "additionalProperties") {
    const known = Object.keys(schemaAt(schema, pointer).properties ?? {});
    return error.params.additionalProperties.map((name) => ({
      path: formatPath([...pointer, name]),
      problem:
        known.length > 0
          ? `is not known here; known are ${known.join(", ")}`
          : "is not a valid name",
    }));
  }
  const node = schemaAt(schema, pointer);
  const problem = `must be ${describeSchema(node)}`;
  const path = formatPath(pointer);
  if (node["x-secret"] === true) return [{ path, problem }];
  return [{ path, problem: `${problem}, not ${describeValue(valueAt(value, pointer))}` }];
}

/** The keywords that the contracts use. */
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
  /** No message shows a value that is marked so. */
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
