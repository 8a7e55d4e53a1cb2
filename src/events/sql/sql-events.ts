/** Writes events in SQL: a few statements for any number of changes. */
import type { Dialect, Queryable } from "../../database/database.ts";
import type { EventRecords } from "../store.ts";
import {
  inBatches,
  putCounter,
  putEvents,
  putMissing,
  readCounter,
  readPresent,
} from "./entry-statements.ts";
import { planChanges } from "./plan-changes.ts";
import { toStorableText } from "./storable-text.ts";
import { EVENT_COLUMNS, rowToEvent, type EventRow } from "./stored-event.ts";

export function createSqlEvents(tx: Queryable, dialect: Dialect): EventRecords {
  return {
    async listSource(accountId, sourceId) {
      const rows = await tx.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events_entries e
         WHERE e.account_id = $1 AND e.source_id = $2
         ORDER BY e.event_id${dialect === "postgres" ? ' COLLATE "C"' : ""}`,
        [accountId, sourceId],
      );
      return rows.map(rowToEvent);
    },
    async find(accountId, eventId) {
      const [row] = await tx.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events_entries e
         WHERE e.account_id = $1 AND e.event_id = $2`,
        [accountId, eventId],
      );
      return row === undefined ? null : rowToEvent(row);
    },
    async write(accountId, sourceId, given, now) {
      const changes = given.map((change) => ({
        ...change,
        eventId: toStorableText(change.eventId),
      }));
      const present = await readPresent(
        tx,
        accountId,
        new Set(changes.map(({ eventId }) => eventId)),
      );
      const counter = await readCounter(tx, accountId);
      const plan = planChanges(changes, present, sourceId, counter.lastStamp, now);
      await inBatches([...plan.written.values()], (events) => putEvents(tx, accountId, events));
      await inBatches([...plan.missing], (counts) => putMissing(tx, accountId, counts));
      if (plan.lastStamp > counter.lastStamp) {
        const liveCount = counter.liveCount + plan.addedLive;
        await putCounter(tx, accountId, plan.lastStamp, liveCount);
      }
      return { taken: [...plan.taken] };
    },
  };
}
