/** Queries that stay true. */
import { createListeners } from "../sync/observable.ts";
import { isSameList, type createCollectionView, type ShownEntity } from "./collection-view.ts";
import type { LiveQuery, QuerySnapshot } from "./collection-query.ts";
import type { UntypedQuery } from "./read-query.ts";

type Shown = Pick<ReturnType<typeof createCollectionView>, "readQuery" | "findRows">;
type Fields = Readonly<Record<string, unknown>>;

const NO_ROWS: readonly ShownEntity[] = Object.freeze([]);

/** `call` must be called whenever entities of the collection may have changed, or all were read. */
export function createLiveQueries({ readQuery, findRows }: Shown, isLoaded: () => boolean) {
  const checks = createListeners();

  function query(given: UntypedQuery = {}): LiveQuery<Fields> {
    const asked = readQuery(given);
    const listeners = createListeners();
    let snapshot: QuerySnapshot<Fields> | null = null;
    let endChecks = () => {};

    function getSnapshot(): QuerySnapshot<Fields> {
      const isComplete = isLoaded();
      const rows = isComplete ? findRows(asked) : NO_ROWS;
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

  return { query, call: checks.call };
}
