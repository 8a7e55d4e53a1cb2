/** The types of the option `evolve`. */
import type { FieldOf, KnownField } from "./shown-entity.ts";

/** The older fields, by the field that reads them. */
export type OlderFields = { readonly [field: string]: string };

/** By default, any older names for the fields of the type. */
export type AnyOlder<Task> = { readonly [Field in FieldOf<Task>]: string };

/** `Olds` are the names of older fields, by the field that reads them. */
export type EvolveOptions<Task, Olds extends OlderFields> = {
  readonly [Field in keyof Olds]?: FieldEvolution<ValueOf<Task, Field>, Olds[Field]> &
    TodaysField<Task, Olds, Field>;
};

/**
 * How one field is read from fields of an older shape, and written back for devices that still run the older
 * app.
 */
export interface FieldEvolution<Value, Older extends string> {
  /** The older fields, which no schema has any more. */
  readonly from: readonly Older[];
  /** Makes today's value of them. Each has any value that an older app wrote, or none; null counts as none. */
  readonly read: (older: { readonly [Name in Older]: AnyValue }) =>
    | NoInfer<Value>
    | null
    | undefined;
  /** Makes the older fields of a value, so that an older app sees an edit of it. */
  readonly write?: (value: Value) => { readonly [Name in Older]: unknown };
}

/** A field that no type has, as a step between two shapes, has any value. */
type ValueOf<Task, Field> = Field extends keyof Task
  ? unknown extends Task[Field]
    ? AnyValue
    : NonNullable<Task[Field]>
  : AnyValue;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- No type says what an older app wrote.
type AnyValue = any;

/** What is evolved is a field of today or of such a step, and what is read is none of today. */
type TodaysField<Task, Olds extends OlderFields, Field extends keyof Olds> = Field extends
  | FieldOf<Task>
  | Olds[keyof Olds]
  ? { readonly from: readonly Exclude<Olds[Field], KnownField<Task>>[] }
  : never;
