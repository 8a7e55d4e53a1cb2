/** Fills in the defaults that a schema declares, at every depth. */
import type { TSchema } from "typebox";

interface DefaultedSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, DefaultedSchema>>;
}

export function fillDefaults(schema: TSchema, value: unknown): unknown {
  return fill(schema, value);
}

function fill(schema: DefaultedSchema, value: unknown): unknown {
  const given = value === undefined ? structuredClone(schema.default) : value;
  if (schema.properties === undefined || given === undefined) return given;
  const filled: Record<string, unknown> = { ...(given as Record<string, unknown>) };
  for (const [name, inner] of Object.entries(schema.properties)) {
    const item = fill(inner, filled[name]);
    if (item !== undefined) filled[name] = item;
  }
  return filled;
}
