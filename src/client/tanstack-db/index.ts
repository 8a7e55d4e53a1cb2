/** `trellis/tanstack-db`: a collection of a sync client as one of TanStack DB, for live queries and joins. */
import type { ChangeMessageOrDeleteKeyMessage, CollectionConfig, SyncConfig } from "@tanstack/db";
import { encodeBase64Url } from "../../rules/base64url.ts";
import type { FieldKind } from "../../rules/sync/field-kinds.ts";
import type { Collection, NewFields, TransactionEdits } from "../collections/collection.ts";
import type { Entity } from "../collections/shown-entity.ts";
import type { StandardSchema } from "../collections/standard-schema.ts";
import type { Fields } from "../sync/entity.ts";

/** What `insert` takes and `update` changes: any fields but an order; the id may be made here. */
export type NewRow<Input, Kinds> = Pick<Input, keyof NewFields<Input, Kinds> & keyof Input> & {
  readonly id?: string;
};

/** Options for `createCollection` of TanStack DB. An app may spread them and add its own. */
export interface TrellisCollectionOptions<
  Task extends object,
  Input extends object,
  Kinds,
  Index,
> extends CollectionConfig<Entity<Task>, string, RowSchema<Task, Input, Kinds>> {
  /** The schema of rows, with `id`. */
  readonly schema: RowSchema<Task, Input, Kinds>;
  /** What the TanStack collection offers as `collection.utils`. */
  readonly utils: TrellisUtils<Task, Input, Kinds, Index>;
}

type RowSchema<Task extends object, Input, Kinds> = StandardSchema<
  NewRow<Input, Kinds>,
  Entity<Task>
>;

/**
 * What a collection of TanStack DB has as `utils`: the collection of Trellis behind it, for increments, sets
 * and moves.
 */
export type TrellisUtils<Task extends object, Input extends object, Kinds, Index> = Readonly<
  Record<"trellis", Collection<Task, Input, Kinds, Index>>
>;

/**
 * Shows a collection in TanStack DB, for its live queries and joins. Mutations settle when they are durable
 * on this device, and roll back with the reason when they are refused. A counter changes by the difference
 * and a set by its elements, so concurrent changes of other devices stay; an order is changed by `move`
 * alone.
 * @param collection - a collection of a sync client
 * @returns options for `createCollection` of TanStack DB
 * @example
 * ```ts
 * import { createCollection, createTransaction } from "@tanstack/db";
 * import type { Collection, SyncClient } from "trellis/client";
 * import { storeTransaction, trellisCollectionOptions } from "trellis/tanstack-db";
 *
 * interface Task {
 *   readonly title: string;
 * }
 *
 * export async function addTwo(client: SyncClient): Promise<void> {
 *   const source: Collection<Task> = client.collection<Task>("task", {});
 *   const tasks = createCollection(trellisCollectionOptions(source));
 *   const both = createTransaction({ mutationFn: storeTransaction });
 *   both.mutate(() => {
 *     tasks.insert({ title: "Buy milk" });
 *     tasks.insert({ title: "Bake bread" });
 *   });
 *   await both.isPersisted.promise;
 * }
 * ```
 */
export function trellisCollectionOptions<Task extends object, Input extends object, Kinds, Index>(
  collection: Collection<Task, Input, Kinds, Index>,
): TrellisCollectionOptions<Task, Input, Kinds, Index> {
  return {
    getKey: ({ id }) => id,
    schema: createRowSchema(collection.kinds as Kinds & KindByField),
    sync: createSync(collection),
    // The keys of an order are compared as `list` does; other texts may be sorted by locale in a query.
    defaultStringCollation: { stringSort: "lexical" },
    onInsert: storeTransaction,
    onUpdate: storeTransaction,
    onDelete: storeTransaction,
    utils: { trellis: collection },
  };
}

/**
 * Stores all mutations of a TanStack transaction over several collections of one client, or none: pass it as
 * `mutationFn`. Those of collections that are not of Trellis are left to the app.
 * @returns a promise that rejects with the reason when the client refused the edits
 */
export async function storeTransaction({ transaction }: StoredTransaction): Promise<void> {
  const mutations = transaction.mutations.filter(({ collection }) => "trellis" in collection.utils);
  const source = (mutation: RowMutation) =>
    mutation.collection.utils["trellis"] as Collection<Fields>;
  const [first] = mutations;
  if (first === undefined) return;
  const result = await source(first).client.transaction((edit) => {
    for (const mutation of mutations) {
      const { kinds } = source(mutation);
      storeMutation(edit(source(mutation)), kinds, mutation);
    }
  });
  if (result.kind === "refused") throw new Error(result.message, { cause: result });
}

type KindByField = Readonly<Record<string, FieldKind | undefined>>;

/** The part of a transaction of TanStack DB that `storeTransaction` reads. */
export interface StoredTransaction {
  /** The transaction that TanStack DB passes to `mutationFn`. */
  readonly transaction: { readonly mutations: readonly RowMutation[] };
}

/** What is read of a mutation of TanStack DB. */
export interface RowMutation {
  /** What TanStack DB did with the row. */
  readonly type: "insert" | "update" | "delete";
  /** The id of the row. */
  readonly key: string;
  /** The row before the mutation. */
  readonly original: object;
  /** The fields that the mutation writes. */
  readonly changes: object;
  /** The collection of the row. */
  readonly collection: { readonly utils: Readonly<Record<string, unknown>> };
}

/** A new row stands last until its key is known: keys consist of letters and digits. */
const LAST = "~";
const FIRST_VALUES: Readonly<Record<FieldKind, unknown>> = { counter: 0, set: [], order: LAST };
const ID_BYTES = 12;

/** Completes a new row, so that it can be shown before it is stored. The client checks its fields. */
function createRowSchema<Row, Shown>(kinds: KindByField): StandardSchema<Row, Shown> {
  const firstValues = Object.entries(kinds).map(([field, kind = "order"]) => [
    field,
    FIRST_VALUES[kind],
  ]);
  const validate = (given: unknown) => {
    const id = encodeBase64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
    return { value: { id, ...Object.fromEntries(firstValues), ...(given as Fields) } as Shown };
  };
  return { "~standard": { version: 1, vendor: "trellis", validate } };
}

function createSync<Task extends object, Input extends object, Kinds, Index>(
  collection: Collection<Task, Input, Kinds, Index>,
): SyncConfig<Entity<Task>, string> {
  return {
    rowUpdateMode: "full",
    sync({ begin, write, commit, markReady }) {
      let shown: readonly Entity<Task>[] = [];
      const show = () => {
        const rows = collection.list();
        begin();
        for (const change of findChanges(shown, rows)) write(change);
        void commit();
        shown = rows;
      };
      const unsubscribe = collection.subscribe(show);
      show();
      void collection.client.loaded.then(markReady);
      return unsubscribe;
    },
  };
}

/** Both lists have one order, and an unchanged row is the same object: so only what lies between is compared. */
function findChanges<Row extends { readonly id: string }>(
  before: readonly Row[],
  after: readonly Row[],
): ChangeMessageOrDeleteKeyMessage<Row, string>[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const removed = new Map(before.slice(start, before.length - end).map((row) => [row.id, row]));
  const written = after.slice(start, after.length - end).flatMap((value) => {
    const previous = removed.get(value.id);
    removed.delete(value.id);
    if (previous === value) return [];
    return [{ type: previous === undefined ? "insert" : "update", value } as const];
  });
  return [...[...removed.keys()].map((key) => ({ type: "delete", key }) as const), ...written];
}

function storeMutation(
  edits: TransactionEdits<Fields, Readonly<Record<string, FieldKind>>>,
  kinds: KindByField,
  { type, key, original, changes }: RowMutation,
): void {
  if (type === "delete") return edits.remove(key);
  const { id: _id, refused: _refused, ...given } = changes as Fields;
  if (type === "insert") return void edits.create(given, { id: key });
  const before = original as Fields;
  const patched: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given)) {
    const [kind, was] = [kinds[field], before[field]];
    if (kind === "counter" && typeof value === "number") {
      edits.increment(key, field, value - (was as number));
    } else if (kind === "set" && Array.isArray(value)) {
      const [old, now] = [was as readonly string[], value as readonly string[]];
      for (const element of now) if (!old.includes(element)) edits.addTo(key, field, element);
      for (const element of old) if (!now.includes(element)) edits.removeFrom(key, field, element);
    } else patched[field] = value;
  }
  if (Object.keys(patched).length > 0) edits.patch(key, patched);
}
