/** The public API of collections: the entities of one type, as an app's own types. */
import type { FieldKind } from "../../rules/sync/field-kinds.ts";
import type { Fields } from "../sync/entity.ts";
import type { RefusedEdit } from "../sync/errors.ts";
import type { CollectionQuery, IndexOf, LiveQuery, NumberField } from "./collection-query.ts";
import type { AnyOlder, EvolveOptions, OlderFields } from "./evolve-options.ts";
import type { Entity, FieldOf, KnownField } from "./shown-entity.ts";
import type { InputOf, OutputOf, StandardSchema } from "./standard-schema.ts";

/** The kinds that fields can have, by their types: a number, texts, or a text. */
export type KindsFor<Task> = { readonly [Field in FieldOf<Task>]?: KindFor<Task[Field]> };

type KindFor<Value> = unknown extends Value
  ? FieldKind
  : NonNullable<Value> extends number
    ? "counter"
    : NonNullable<Value> extends readonly string[]
      ? "set"
      : NonNullable<Value> extends string
        ? "order"
        : never;

/** The fields that may be of the kind. */
export type FieldOfKind<Kinds, Kind extends FieldKind> = {
  [Field in FieldOf<Kinds>]: Kind extends Kinds[Field] ? Field : never;
}[FieldOf<Kinds>] &
  string;

/** An id, where a field is the order; without one, no call of `move` compiles. */
type OrderedId<Kinds> = [FieldOfKind<Kinds, "order">] extends [never] ? never : string;

/** The fields that certainly have one of the kinds. */
type FieldOfKinds<Kinds, Kind extends FieldKind> = {
  [Field in FieldOf<Kinds>]-?: [Kinds[Field]] extends [Kind] ? Field : never;
}[FieldOf<Kinds>];

/** What `create` takes: a counter or a set may have a first value, and an order has none. */
export type NewFields<Input, Kinds> = Omit<Input, FieldOfKinds<Kinds, FieldKind>> & {
  readonly [Field in FieldOfKinds<Kinds, "counter" | "set"> & keyof Input]?: Input[Field];
};

/** What `patch` takes: any fields but those of a kind; undefined removes the value of an optional one. */
export type ChangedFields<Input, Kinds> = {
  readonly [Field in Exclude<keyof Input, FieldOfKinds<Kinds, FieldKind>>]?: Partial<
    Pick<Input, Field>
  > extends Pick<Input, Field>
    ? Input[Field] | undefined
    : Input[Field];
};

/** Exactly one of them: an entity that the moved one stands next to, or an end. */
export type OrderPlace =
  | { readonly before: string }
  | { readonly after: string }
  | { readonly first: true }
  | { readonly last: true };

/** Options of `settle`, which tells how far it is. */
export interface SettleOptions {
  /** Called after each transaction, with the number of entities that it and those before settled. */
  readonly onProgress?: (settled: number, total: number) => void;
}

/** How many entities `settle` wrote again. */
export interface SettleResult {
  /** The number of entities that were written; one that was refused, such as for its size, does not count. */
  readonly settled: number;
}

/** What an edit of a collection came to: stored on this device, or refused with the reason. */
export type CollectionResult =
  /** The edit is durable on this device; it is sent when the server can be reached. */
  { readonly kind: "stored"; readonly id: string; readonly operationId: string } | RefusedEdit;

/** `operationIds` are those of the edits, in their order. */
export type TransactionResult =
  | { readonly kind: "stored"; readonly operationIds: readonly string[] }
  /** Nothing of the transaction was stored. */
  | RefusedEdit;

/** Where the schema and an entity differ. */
export interface FieldIssue {
  /** Such as `due` or `address.street`; empty when the entity as a whole is wrong. */
  readonly path: string;
  /** What is wrong with the value, mostly in the words of the schema. */
  readonly message: string;
}

/** An entity that the schema refuses: an older, newer or broken app wrote it. */
export interface InvalidEntity {
  /** The id in the collection, without the type. */
  readonly id: string;
  /** The fields as stored. */
  readonly fields: Fields;
  /** What the schema, or a `read` of `evolve`, found wrong with the fields. */
  readonly issues: readonly FieldIssue[];
}

/** Fields that are not in both have no kind: a misspelt one, or one that the type parameters leave out. */
type OtherKinds<Task, Kinds> = {
  readonly [
    Field in Exclude<keyof Kinds, FieldOf<Task>> | Exclude<KnownField<Task>, keyof Kinds>
  ]?: never;
};

/**
 * The options of a collection without a schema: its indexes, the kinds of its fields, and how old shapes are
 * read.
 */
export interface CollectionOptions<Task, Kinds, Index, Olds extends OlderFields = OlderFields> {
  /** Any Standard Schema that is not asynchronous: see `SchemaOptions`. */
  readonly schema?: undefined;
  /** The fields that `list` can filter and sort by; `["category", "date"]` is one index of both. */
  readonly indexes?: readonly Index[];
  /**
   * Fields that concurrent edits add to instead of replacing each other: a `counter` (number), a `set`
   * (texts) and, at most one, an `order` (text, by which `list` sorts).
   */
  readonly kinds?: Kinds & OtherKinds<Task, Kinds>;
  /**
   * Fields whose shape changed since an older app, by their names of today. A field shows its own value,
   * unless an older field in `from` was written later: then what `read` makes of those. Nothing is stored by
   * looking: see `settle`.
   */
  readonly evolve?: EvolveOptions<Task, Olds>;
}

/** The options of a collection with a schema, which types and checks its fields. */
export interface SchemaOptions<
  Schema extends StandardSchema<object, object>,
  Kinds,
  Index,
  Olds extends OlderFields = OlderFields,
> extends Omit<CollectionOptions<OutputOf<Schema>, Kinds, Index, Olds>, "schema"> {
  /** Any Standard Schema that is not asynchronous: of zod, valibot, arktype and others. */
  readonly schema: Schema;
}

/** The type of `SyncClient.collection`, which makes a collection with a schema, or with a type alone. */
export interface CreateCollection {
  /** Makes a collection whose types are those of the schema. */
  <
    Schema extends StandardSchema<object, object>,
    const Kinds extends KindsFor<OutputOf<Schema>> = {},
    const Index extends IndexOf<OutputOf<Schema>> = never,
    Olds extends OlderFields = AnyOlder<OutputOf<Schema>>,
  >(
    type: string,
    options: SchemaOptions<Schema, Kinds, Index, Olds>,
  ): Collection<OutputOf<Schema>, InputOf<Schema>, Kinds, Index>;
  /** Makes a collection of the given type, which nothing checks when the app runs. */
  <
    Task extends object = Fields,
    const Kinds extends KindsFor<Task> = {},
    const Index extends IndexOf<Task> = never,
    Olds extends OlderFields = AnyOlder<Task>,
  >(
    type: string,
    options?: CollectionOptions<Task, Kinds, Index, Olds>,
  ): Collection<Task, Task, Kinds, Index>;
}

/**
 * The entities of one type. Make a collection once, beside the client: it keeps its lists up to date as
 * long as the client is open.
 */
export interface Collection<
  Task extends object,
  Input extends object = Task,
  Kinds = {},
  Index = never,
> {
  /** The type of the entities: the first part of each entity id, before the slash. */
  readonly type: string;
  /** The kinds of its fields, as the options had them. */
  readonly kinds: Kinds;
  /** What an adapter of a query library needs of the client. */
  readonly client: {
    readonly loaded: Promise<void>;
    transaction(work: TransactionWork): Promise<TransactionResult>;
  };
  /** Makes an entity with a new id, or the given one, which must not exist. It stands last in the order. */
  create(
    fields: NewFields<Input, Kinds>,
    options?: { readonly id?: string },
  ): Promise<CollectionResult>;
  /** Makes the entity, or changes only these fields of it. */
  upsert(id: string, fields: ChangedFields<Input, Kinds>): Promise<CollectionResult>;
  /** Changes only these fields. Fields that this app does not know stay as they are. */
  patch(id: string, fields: ChangedFields<Input, Kinds>): Promise<CollectionResult>;
  /** Deletes the entity; `restore` can bring it back. */
  remove(id: string): Promise<CollectionResult>;
  /** Brings a removed entity back with the fields that it had. */
  restore(id: string): Promise<CollectionResult>;
  /**
   * Lists removed entities by id, as `restore` brings them back; `client.deleted` has those that the schema
   * refuses, too. Rejects when the storage fails.
   */
  deleted(): Promise<readonly Entity<Task>[]>;
  /**
   * Writes what `read` shows for every entity that shows it, in transactions of at most 100 entities, and
   * resolves with how many. After every device did, and no older app is left, `evolve` can go. Rejects when
   * the storage fails or the client is closed; another call goes on.
   */
  settle(options?: SettleOptions): Promise<SettleResult>;

  /** Adds to a counter, or subtracts; concurrent increments of all devices count. */
  increment(
    id: string,
    field: FieldOfKind<Kinds, "counter">,
    by?: number,
  ): Promise<CollectionResult>;
  /** Adds an element to a set. */
  addTo(id: string, field: FieldOfKind<Kinds, "set">, element: string): Promise<CollectionResult>;
  /** Removes one element from a set; concurrent edits of other elements are kept. */
  removeFrom(
    id: string,
    field: FieldOfKind<Kinds, "set">,
    element: string,
  ): Promise<CollectionResult>;
  /** Moves the entity in the order. */
  move(id: OrderedId<Kinds>, place: OrderPlace): Promise<CollectionResult>;

  /** The same object until the entity changes; undefined also for an invalid one. */
  get(id: string): Entity<Task> | undefined;
  /**
   * Returns the same array until a row in it changes. Throws an `IndexNeededError` for what needs
   * another index, and a TypeError for other mistakes.
   */
  list(query?: CollectionQuery<Task, Index>): readonly Entity<Task>[];
  /** Counts the rows, those that a list would leave out for want of an order among them. */
  count(query?: Pick<CollectionQuery<Task, Index>, "where">): number;
  /** Adds up a field; rows without a number in it count as nothing. */
  sum(field: NumberField<Task>, query?: Pick<CollectionQuery<Task, Index>, "where">): number;
  /** The query as one that stays true. Make it once, and not whenever its rows are shown. */
  query(query?: CollectionQuery<Task, Index>): LiveQuery<Task>;
  /** Calls back when an entity of the collection changes, never for a status. */
  subscribe(listener: () => void): () => void;
  /** Calls back when this entity changes. */
  subscribeTo(id: string, listener: () => void): () => void;
  /** Lists what the schema refuses. It stays stored, and no list has it. */
  invalid(): readonly InvalidEntity[];
}

/** The edits of a transaction. They are checked at once and stored when the transaction ends. */
export interface TransactionEdits<Input, Kinds> {
  /** Returns the id of the new entity. */
  create(fields: NewFields<Input, Kinds>, options?: { readonly id?: string }): string;
  /** Makes the entity, or changes only these fields of it. */
  upsert(id: string, fields: ChangedFields<Input, Kinds>): void;
  /** Changes only these fields. */
  patch(id: string, fields: ChangedFields<Input, Kinds>): void;
  /** Deletes the entity; `restore` can bring it back. */
  remove(id: string): void;
  /** Brings a removed entity back with the fields that it had. */
  restore(id: string): void;
  /** Adds to a counter: 1 by default, and a negative number subtracts. */
  increment(id: string, field: FieldOfKind<Kinds, "counter">, by?: number): void;
  /** Adds an element to a set. */
  addTo(id: string, field: FieldOfKind<Kinds, "set">, element: string): void;
  /** Removes one element from a set. */
  removeFrom(id: string, field: FieldOfKind<Kinds, "set">, element: string): void;
  /** Moves the entity in the order. */
  move(id: OrderedId<Kinds>, place: OrderPlace): void;
}

/** Not asynchronous: `void` alone would allow a promise. What `create` returns may be returned. */
export type TransactionWork = (edit: EditCollection) => string | void;

/** Names the collection that an edit of a transaction is for. */
export type EditCollection = <Task extends object, Input extends object, Kinds, Index>(
  collection: Collection<Task, Input, Kinds, Index>,
) => TransactionEdits<Input, Kinds>;
