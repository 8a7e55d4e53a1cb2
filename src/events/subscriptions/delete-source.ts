import type { EventChange, EventsRecords, EventsStore } from "../store.ts";

const DELETIONS_PER_TRANSACTION = 1000;

/** Deletes the events first, so that apps learn of their end. */
export async function deleteSource(
  store: EventsStore,
  accountId: string,
  sourceId: string,
  now: () => number,
): Promise<void> {
  const listDeletions = async ({ events }: EventsRecords): Promise<EventChange[]> =>
    (await events.listSource(accountId, sourceId))
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ eventId }) => ({ kind: "delete", eventId }));

  const deletions = await store.transaction(listDeletions);
  for (let start = 0; start < deletions.length; start += DELETIONS_PER_TRANSACTION) {
    const batch = deletions.slice(start, start + DELETIONS_PER_TRANSACTION);
    await store.transaction(({ events }) => events.write(accountId, sourceId, batch, now()));
  }
  await store.transaction(async (records) => {
    // The events that were added meanwhile are deleted too.
    await records.events.write(accountId, sourceId, await listDeletions(records), now());
    await records.sources.remove(sourceId);
  });
}
