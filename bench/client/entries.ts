/** Entities of a habits app, as many as a benchmark needs. */
import type { SyncClient } from "../../src/client/index.ts";

export const ENTRY_TYPE = "entry";
const DATE = "2026-01-31";

export async function createEntries(client: SyncClient, count: number): Promise<void> {
  const edits = Array.from({ length: count }, (_, number) => {
    const [id, habitId, date] = [entryId(number), habitOf(number), DATE];
    const fields = { completed: true, count: number % 9, timestamp: `${DATE}T07:30:00.000Z` };
    return client.create(id, { id, habitId, date, ...fields });
  });
  for (const result of await Promise.all(edits)) {
    if (result.kind === "refused") throw new Error(`An edit was refused: ${result.message}`);
  }
}

function habitOf(number: number): string {
  return `habit-${number}`;
}

export function entryId(number: number): string {
  return `${ENTRY_TYPE}/${habitOf(number)}/${DATE}`;
}
