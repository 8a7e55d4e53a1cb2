/** The events that were entered by hand, in a source of their own. */
import { encodeBase64Url } from "../../rules/base64url.ts";
import { isSameEntryContent } from "../../rules/events/ingest/reconcile.ts";
import type { EventsDependencies } from "../setup/dependencies.ts";
import type {
  EventChange,
  EventContent,
  EventsReads,
  EventsRecords,
  StoredEvent,
} from "../store.ts";

const ID_BYTES = 16;
const MANUAL = "manual";

export function createManualEvents({ store, now, randomBytes }: EventsDependencies) {
  const createId = () => encodeBase64Url(randomBytes(ID_BYTES));

  async function findManualSource({ sources }: EventsRecords, accountId: string, at: number) {
    const { sourceId } = await sources.findOrAdd({
      sourceId: createId(),
      accountId,
      kind: MANUAL,
      name: MANUAL,
      createdAt: at,
    });
    return sourceId;
  }

  return {
    find: (accountId: string, eventId: string) => findManual(store.reads, accountId, eventId),
    /** Adds an event, or changes that of `editing`. False when there is none. */
    put(
      accountId: string,
      editing: string | null,
      toContent: (known: StoredEvent | null) => EventContent,
    ): Promise<boolean> {
      const at = now();
      return store.transaction(async (records) => {
        const known = editing === null ? null : await findManual(records, accountId, editing);
        if (editing !== null && known === null) return false;
        const content = toContent(known);
        // A write gives a new stamp, and apps would read the event again.
        if (known !== null && isSameEntryContent(known, content)) return true;
        const change: EventChange = {
          kind: "put",
          eventId: known?.eventId ?? createId(),
          content,
          createdAt: new Date(at).toISOString(),
        };
        const sourceId = known?.sourceId ?? (await findManualSource(records, accountId, at));
        await records.events.write(accountId, sourceId, [change], at);
        return true;
      });
    },
    /** False when there is no such event. */
    remove: (accountId: string, eventId: string): Promise<boolean> =>
      store.transaction(async (records) => {
        const event = await findManual(records, accountId, eventId);
        if (event === null) return false;
        const { sourceId } = event;
        await records.events.write(accountId, sourceId, [{ kind: "delete", eventId }], now());
        return true;
      }),
  };
}

/** A live event that was entered by hand. */
async function findManual(
  records: Pick<EventsReads, "events" | "sources">,
  accountId: string,
  eventId: string,
): Promise<StoredEvent | null> {
  const event = await records.events.find(accountId, eventId);
  if (event === null || event.deletedAt !== null) return null;
  const source = await records.sources.find(event.sourceId);
  return source?.kind === MANUAL ? event : null;
}
