/** The edits of a busy habits app: seven of ten days are ticked, the others are ticked again. */
import type { SyncClient } from "../../src/client/index.ts";
import { DAY_MS } from "../../src/contract/durations.ts";

const HABIT = "water";

export async function makeEdits(
  client: Pick<SyncClient, "create" | "patch">,
  count: number,
  isTogether: boolean,
): Promise<void> {
  const waiting: Promise<unknown>[] = [];
  for (let number = 0; number < count; number++) {
    const edit = makeEdit(client, number);
    if (isTogether) waiting.push(edit);
    else await edit;
  }
  await Promise.all(waiting);
}

async function makeEdit(
  { create, patch }: Pick<SyncClient, "create" | "patch">,
  number: number,
): Promise<void> {
  const isNew = number % 10 < 7;
  const date = dayOf(isNew ? number : number - 7);
  const entityId = `entry/${HABIT}/${date}`;
  const fields = { count: number % 9, timestamp: `${date}T07:30:00.000Z` };
  const result = isNew
    ? await create(entityId, { id: entityId, habitId: HABIT, date, completed: true, ...fields })
    : await patch(entityId, fields);
  if (result.kind === "refused") throw new Error(`Edit ${number} was refused: ${result.message}`);
}

function dayOf(number: number): string {
  return new Date(Date.UTC(1990, 0, 1) + number * DAY_MS).toISOString().slice(0, 10);
}
