import type { Dialect, Queryable } from "../../database/database.ts";
import { firstRow } from "../../database/one-row.ts";
import type { EventChange, EventRecords, StoredEvent } from "../store.ts";
import {
  EVENT_COLUMNS,
  inBatches,
  putCounter,
  putEvents,
  putMissing,
  readCounter,
  readPresent,
  rowToEvent,
  type EventRow,
} from "./event-rows.ts";
import { toStorableText } from "./storable-text.ts";

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
        `SELECT ${EVENT_COLUMNS}
         FROM ${firstRow("events_entries", "account_id = $1 AND event_id >= $2", "event_id")} e
         WHERE e.event_id = $2`,
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

interface WritePlan {
  readonly written: Map<string, StoredEvent>;
  readonly missing: Map<string, number>;
  readonly taken: Set<string>;
  lastStamp: number;
  addedLive: number;
}

function planChanges(
  changes: readonly EventChange[],
  present: ReadonlyMap<string, StoredEvent>,
  sourceId: string,
  lastStamp: number,
  now: number,
): WritePlan {
  const plan: WritePlan = {
    written: new Map(),
    missing: new Map(),
    taken: new Set(),
    lastStamp,
    addedLive: 0,
  };
  const nextStamp = () => (plan.lastStamp = Math.max(now, plan.lastStamp + 1));
  for (const change of changes) {
    const { eventId } = change;
    const before = plan.written.get(eventId) ?? present.get(eventId) ?? null;
    const wasLive = before !== null && before.deletedAt === null;
    // Another source may reuse the id of a tombstone, but not that of a live event.
    if (wasLive && before.sourceId !== sourceId) {
      plan.taken.add(eventId);
      continue;
    }
    if (change.kind === "put") {
      const createdAt = before?.createdAt ?? change.createdAt;
      const updatedAt = nextStamp();
      const rest = { eventId, sourceId, createdAt, updatedAt, deletedAt: null, missing: 0 };
      plan.written.set(eventId, { ...change.content, ...rest });
      plan.missing.delete(eventId);
      plan.addedLive += wasLive ? 0 : 1;
    } else if (wasLive && change.kind === "delete") {
      plan.written.set(eventId, { ...before, updatedAt: nextStamp(), deletedAt: now, missing: 0 });
      plan.missing.delete(eventId);
      plan.addedLive -= 1;
    } else if (wasLive && change.kind === "missing") {
      plan.missing.set(eventId, change.missing);
    }
  }
  return plan;
}
