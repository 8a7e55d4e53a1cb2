/** `trellis/react`: hooks for the collections and the status of a sync client. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Collection } from "../collections/collection.ts";
import type { CollectionQuery, QuerySnapshot } from "../collections/collection-query.ts";
import type { Entity } from "../collections/shown-entity.ts";
import type { SyncStatus } from "../sync/results.ts";
import type { SyncClient } from "../sync/sync-client.ts";

/**
 * Shows the rows of a query, and renders again when one of them changes. The query may be written in place.
 * @param collection - a collection of the sync client
 * @param query - which rows, in which order; all without it
 * @returns the rows, and whether there are more
 * @example
 * ```ts
 * import { createElement, type ReactElement } from "react";
 * import type { Collection, SyncClient } from "trellis/client";
 * import { useEntity, useQuery, useSyncStatus } from "trellis/react";
 *
 * interface Props {
 *   readonly client: SyncClient;
 *   readonly tasks: Collection<{ title: string }>;
 *   readonly chosen: string | null;
 * }
 *
 * export function TaskList({ client, tasks, chosen }: Props): ReactElement {
 *   const { kind, pending } = useSyncStatus(client);
 *   const { rows } = useQuery(tasks, { limit: 100 });
 *   const task = useEntity(tasks, chosen);
 *   const items = rows.map(({ id, title }) => createElement("li", { key: id }, title));
 *   return createElement("section", null, task?.title, items, `${kind}, ${pending} to send`);
 * }
 * ```
 */
export function useQuery<Task extends object, Input extends object, Kinds, Index>(
  collection: Collection<Task, Input, Kinds, Index>,
  query: NoInfer<CollectionQuery<Task, Index>> = {},
): QuerySnapshot<Task> {
  // A component makes a new object each time that it renders.
  const key = JSON.stringify(query);
  const live = useMemo(() => collection.query(query), [collection, key]);
  return useSyncExternalStore(live.subscribe, live.getSnapshot, live.getSnapshot);
}

/**
 * Shows one entity, and renders again when it changes.
 * @param collection - a collection of the sync client
 * @param id - the id of the entity; null or undefined shows nothing
 * @returns the entity; undefined while there is none, or no id
 */
export function useEntity<Task extends object, Input extends object, Kinds, Index>(
  collection: Collection<Task, Input, Kinds, Index>,
  id: string | null | undefined,
): Entity<Task> | undefined {
  const isNamed = id !== null && id !== undefined;
  const subscribe = useCallback(
    (listener: () => void) => (isNamed ? collection.subscribeTo(id, listener) : () => {}),
    [collection, id, isNamed],
  );
  const getSnapshot = () => (isNamed ? collection.get(id) : undefined);
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}

/**
 * Shows the state of sync, and renders again when that changes, not for every edit.
 * @param client - the sync client
 * @returns the status, as `getSnapshot` has it
 */
export function useSyncStatus(client: Pick<SyncClient, "subscribe" | "getSnapshot">): SyncStatus {
  const getStatus = () => client.getSnapshot().status;
  return useSyncExternalStore(client.subscribe, getStatus, getStatus);
}
