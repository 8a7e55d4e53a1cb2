/** `trellis/react`: hooks for the collections and the status of a sync client. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { Collection } from "../collections/collection.ts";
import type { CollectionQuery, QuerySnapshot } from "../collections/collection-query.ts";
import type { Entity } from "../collections/shown-entity.ts";
import type { SyncStatus } from "../sync/results.ts";
import type { SyncClient } from "../sync/sync-client.ts";

/** Shows the rows of a query, and renders again when one of them changes. The query may be written in place. */
export function useQuery<Task extends object, Input extends object, Kinds, Index>(
  collection: Collection<Task, Input, Kinds, Index>,
  query: NoInfer<CollectionQuery<Task, Index>> = {},
): QuerySnapshot<Task> {
  // A component makes a new object each time that it renders.
  const key = JSON.stringify(query);
  const live = useMemo(() => collection.query(query), [collection, key]);
  return useSyncExternalStore(live.subscribe, live.getSnapshot, live.getSnapshot);
}

/** Shows an entity; undefined while there is none, or no id. */
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

/** Shows the state of sync, and renders again when that changes, not for every edit. */
export function useSyncStatus(client: Pick<SyncClient, "subscribe" | "getSnapshot">): SyncStatus {
  const getStatus = () => client.getSnapshot().status;
  return useSyncExternalStore(client.subscribe, getStatus, getStatus);
}
