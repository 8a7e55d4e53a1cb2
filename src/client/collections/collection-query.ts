/** The public API of queries: what `list`, `count`, `sum` and `query` of a collection take. */
import type { Entity, FieldOf } from "./shown-entity.ts";

/** A field that `list` can filter and sort by, or the fields of a compound index. */
export type IndexOf<Task> = FieldOf<Task> | readonly FieldOf<Task>[];

/** The fields of the declared indexes. */
export type IndexedField<Index> = Index extends string
  ? Index
  : Index extends readonly (infer Field extends string)[]
    ? Field
    : never;

/** A value, or what lies between two, both included. */
export type FieldFilter<Value> =
  | NonNullable<Value>
  | {
      readonly from?: NonNullable<Value> | undefined;
      readonly to?: NonNullable<Value> | undefined;
    };

/** What the fields of declared indexes must be, all of them. */
export type CollectionFilter<Task, Index> = {
  readonly [Field in IndexedField<Index> & FieldOf<Task>]?: FieldFilter<Task[Field]>;
};

/** Which entities to list, in which order, and how many. Fields in `where` and `orderBy` need an index. */
export interface CollectionQuery<Task extends object, Index> {
  /** The conditions that every row meets, on the fields of declared indexes. */
  readonly where?: CollectionFilter<Task, Index>;
  /**
   * A field of a declared index, or several as a compound one has them; without it, the collection's own order
   * decides, or the id. Texts sort by code unit and equal rows by id. Rows without a value are left out.
   */
  readonly orderBy?: IndexedField<Index> | Extract<Index, readonly string[]> | undefined;
  /** From the last row to the first. */
  readonly desc?: boolean;
  /** The greatest number of rows. */
  readonly limit?: number;
  /** The last row of the page before. */
  readonly after?: Entity<Task> | undefined;
}

/** The fields that may have a number. */
export type NumberField<Task> = {
  [Field in FieldOf<Task>]-?: unknown extends Task[Field]
    ? Field
    : NonNullable<Task[Field]> extends number
      ? Field
      : never;
}[FieldOf<Task>];

/** What a live query shows. It is the same object until something in it changes. */
export interface QuerySnapshot<Task extends object> {
  /** The matching entities, in the order of the query. */
  readonly rows: readonly Entity<Task>[];
  /** Whether all entities of the device were read. Before, the rows are the first ones of the query, or none yet. */
  readonly isComplete: boolean;
}

/** A query that stays true, for `useSyncExternalStore` and its like. */
export interface LiveQuery<Task extends object> {
  /** Returns what the query shows now; it needs no subscription. */
  getSnapshot(): QuerySnapshot<Task>;
  /** Calls back when the snapshot is another one; returns the function that ends it. */
  subscribe(listener: () => void): () => void;
}
