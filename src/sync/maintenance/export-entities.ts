/** Exports every live entity to a file. */
import type { Database } from "../../database/database.ts";
import { placeFile, writeLines } from "../../database/backup/place-file.ts";
import { exportLines } from "../export-text.ts";

/** Returns how many entities were written. `path` must not exist. */
export function exportEntities(database: Database, path: string, now: number): Promise<number> {
  return placeFile(path, async (draft) => {
    let count = 0;
    const lines = exportLines(listStates(database), now, () => count++);
    await writeLines(draft, lines);
    return count;
  });
}

async function* listStates(database: Database): AsyncGenerator<string> {
  const rows = database.stream<{ state: string }>(
    `SELECT state FROM sync_entities
     ORDER BY entity_id${database.dialect === "postgres" ? ' COLLATE "C"' : ""}`,
  );
  for await (const { state } of rows) yield state;
}
