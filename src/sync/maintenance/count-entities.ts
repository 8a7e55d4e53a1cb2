/** How many entities are there to see. */
import type { Database } from "../../database/database.ts";
import { parseEntityState } from "../../rules/sync/entity-state-text.ts";
import type { EntityState } from "../../rules/sync/merge.ts";
import type { EntityCounts } from "./backup-format.ts";

export function createEntityCounter() {
  const counts = { live: 0, deleted: 0, awaiting: 0 };
  return {
    add({ lifecycleRevision, deleted }: EntityState): void {
      counts[lifecycleRevision === null ? "awaiting" : deleted ? "deleted" : "live"]++;
    },
    counts: (): EntityCounts => ({ ...counts }),
  };
}

export async function countEntities(database: Database): Promise<EntityCounts> {
  const counter = createEntityCounter();
  const rows = database.stream<{ state: string }>("SELECT state FROM sync_entities");
  for await (const { state } of rows) counter.add(parseEntityState(state));
  return counter.counts();
}
