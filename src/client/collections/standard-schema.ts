/**
 * Standard Schema, version 1: the interface that zod, valibot, arktype and others share. Our own
 * declaration, because an app that passes no schema must not need a package for its types.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type TypesOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>;

export type InputOf<Schema extends StandardSchema> = TypesOf<Schema>["input"];
export type OutputOf<Schema extends StandardSchema> = TypesOf<Schema>["output"];
