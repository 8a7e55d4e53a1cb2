/** Ends a source: its events become tombstones, so that apps hear of it, and then it goes. */
import type { EventChange, EventsRecords, EventsStore } from "../store.ts";

const DELETIONS_PER_TRANSACTION = 1000;

export async function deleteSource(
  store: EventsStore,
  accountId: string,
  sourceId: string,
  now: () => number,
): Promise<void> {
  const listLive = async ({ events }: EventsRecords): Promise<EventChange[]> =>
    (await events.listSource(accountId, sourceId))
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ eventId }) => ({ kind: "delete", eventId }));

  const deletions = await store.transaction(listLive);
  for (let start = 0; start < deletions.length; start += DELETIONS_PER_TRANSACTION) {
    const part = deletions.slice(start, start + DELETIONS_PER_TRANSACTION);
    await store.transaction(({ events }) => events.write(accountId, sourceId, part, now()));
  }
  await store.transaction(async (records) => {
    // What came in between.
    const rest = await listLive(records);
    if (rest.length > 0) await records.events.write(accountId, sourceId, rest, now());
    await records.sources.remove(sourceId);
  });
}
