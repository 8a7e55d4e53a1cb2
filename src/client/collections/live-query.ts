/** Queries that stay true. */
import { createListeners } from "../sync/observable.ts";
import { isSameList, type createCollectionView, type ShownEntity } from "./collection-view.ts";
import type { LiveQuery, QuerySnapshot } from "./collection-query.ts";
import type { ReadQuery, UntypedQuery } from "./read-query.ts";

export interface LiveQueryOptions {
  readonly shown: Pick<ReturnType<typeof createCollectionView>, "readQuery" | "findRows">;
  readonly isLoaded: () => boolean;
  /** What finds the first rows before all entities were read; these are null where nothing tells which they are. */
  readonly keepIndex: (query: ReadQuery) => () => Promise<readonly ShownEntity[] | null>;
}

type Fields = Readonly<Record<string, unknown>>;

const NO_ROWS: readonly ShownEntity[] = Object.freeze([]);

export function createLiveQueries({ shown, isLoaded, keepIndex }: LiveQueryOptions) {
  const checks = createListeners();
  /** Counts the changes of the collection. */
  let changes = 0;

  function query(given: UntypedQuery = {}): LiveQuery<Fields> {
    const asked = shown.readQuery(given);
    const findFirst = keepIndex(asked);
    const listeners = createListeners();
    let snapshot: QuerySnapshot<Fields> | null = null;
    let endChecks = () => {};
    let firstRows = NO_ROWS;
    /** The count of changes that the first rows are read at. */
    let readAt = -1;

    function readFirst(): void {
      const at = (readAt = changes);
      const take = (rows: readonly ShownEntity[] | null) => {
        // Another change came meanwhile, and is read too.
        if (at !== readAt) return;
        firstRows = rows === null ? NO_ROWS : Object.freeze(rows);
        check();
      };
      // A storage that fails is reported by the next edit or round.
      void findFirst().then(take, () => take(null));
    }

    function getSnapshot(): QuerySnapshot<Fields> {
      const isComplete = isLoaded();
      if (!isComplete && readAt !== changes) readFirst();
      const rows = isComplete ? shown.findRows(asked) : firstRows;
      const isSame = snapshot?.isComplete === isComplete && isSameList(snapshot.rows, rows);
      snapshot = isSame && snapshot !== null ? snapshot : Object.freeze({ rows, isComplete });
      return snapshot;
    }

    function check(): void {
      const before = snapshot;
      if (getSnapshot() !== before) listeners.call();
    }

    return {
      getSnapshot,
      subscribe(listener) {
        if (listeners.isEmpty()) {
          getSnapshot();
          endChecks = checks.subscribe(check);
        }
        const end = listeners.subscribe(listener);
        return () => {
          end();
          if (listeners.isEmpty()) endChecks();
        };
      },
    };
  }

  return {
    query,
    /** Must be called whenever entities of the collection may have changed, or all were read. */
    call(isChanged: boolean): void {
      if (isChanged) changes++;
      checks.call();
    },
  };
}
