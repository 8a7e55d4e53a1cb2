/**
 * Standard Schema, version 1: the interface that zod, valibot, arktype and others share. Our own
 * declaration, because an app that passes no schema must not need a package for its types.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the specification prescribes: its version, the name of the library, the check, and the types. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a schema made of a value: the parsed value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One complaint of a schema about a value. */
export interface StandardIssue {
  /** What is wrong, in the words of the schema. */
  readonly message: string;
  /** The keys that lead to the wrong part; absent or empty when the value as a whole is wrong. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type TypesOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>;

/** The type that a schema accepts, which is what an app passes to `create`. */
export type InputOf<Schema extends StandardSchema> = TypesOf<Schema>["input"];
/** The type that a schema gives, which is what an app reads. */
export type OutputOf<Schema extends StandardSchema> = TypesOf<Schema>["output"];
