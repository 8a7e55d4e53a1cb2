import type { Queryable } from "../../database/database.ts";
import type { Source, SourceRecords, Subscription, SubscriptionRecords } from "../store.ts";
import { columnsOf } from "../../database/columns.ts";
import { firstRow } from "../../database/one-row.ts";

const SOURCE = columnsOf<Source>("sourceId", "accountId", "kind", "name", "createdAt");
const SELECT_SOURCE = `SELECT ${SOURCE.select("s")} FROM events_sources s`;

type SourceRow = Pick<Source, keyof Source>;

export function createSqlSources(tx: Queryable): SourceRecords {
  return {
    async findOrAdd(source) {
      const { accountId, kind, name } = source;
      await tx.query(
        `INSERT INTO events_sources (${SOURCE.names}) VALUES (${SOURCE.placeholders})
         ON CONFLICT (account_id, kind, name) DO NOTHING`,
        SOURCE.values(source),
      );
      const [found] = await tx.query<SourceRow>(
        `${SELECT_SOURCE} WHERE s.account_id = $1 AND s.kind = $2 AND s.name = $3`,
        [accountId, kind, name],
      );
      if (found === undefined) throw new Error("A source is missing after it was added");
      return found;
    },
    list: (accountId) =>
      tx.query<SourceRow>(
        `${SELECT_SOURCE} WHERE s.account_id = $1 ORDER BY s.created_at, s.source_id`,
        [accountId],
      ),
    async find(sourceId) {
      const [source] = await tx.query<SourceRow>(`${SELECT_SOURCE} WHERE s.source_id = $1`, [
        sourceId,
      ]);
      return source ?? null;
    },
    async remove(sourceId) {
      const [live] = await tx.query(
        `SELECT e.event_id FROM events_entries e
         WHERE e.account_id = (SELECT s.account_id FROM events_sources s WHERE s.source_id = $1)
           AND e.source_id = $1 AND e.deleted_at IS NULL LIMIT 1`,
        [sourceId],
      );
      if (live !== undefined)
        throw new Error("Cannot remove a source before its events are deleted");
      await tx.query("DELETE FROM events_sources WHERE source_id = $1", [sourceId]);
    },
  };
}

type SubscriptionRow = Omit<Subscription, "rules"> & { readonly rules: string };

const CHANGING = columnsOf<SubscriptionRow>(
  "name",
  "defaultType",
  "rules",
  "etag",
  "lastModified",
  "lastFetchedAt",
  "lastSucceededAt",
  "lastError",
  "warning",
  "nextFetchAt",
  "failures",
  "entryCount",
  "report",
);
const FIXED = columnsOf<SubscriptionRow>(
  "sourceId",
  "accountId",
  "sealedUrl",
  "urlHash",
  "createdAt",
);
const SUBSCRIPTION_COLUMNS = `${FIXED.select("f")}, ${CHANGING.select("f")}`;
const SELECT_SUBSCRIPTION = `SELECT ${SUBSCRIPTION_COLUMNS} FROM events_subscriptions f`;

export function createSqlSubscriptions(tx: Queryable): SubscriptionRecords {
  return {
    async add(subscription) {
      const row = toRow(subscription);
      const values = [...FIXED.values(row), ...CHANGING.values(row)];
      const rows = await tx.query(
        `INSERT INTO events_subscriptions (${FIXED.names}, ${CHANGING.names})
         VALUES (${values.map((_, index) => `$${index + 1}`).join(", ")})
         ON CONFLICT (account_id, url_hash) DO NOTHING RETURNING source_id`,
        values,
      );
      return rows.length > 0;
    },
    async update(subscription) {
      await tx.query(
        `UPDATE events_subscriptions SET ${CHANGING.assignments(2)} WHERE source_id = $1`,
        [subscription.sourceId, ...CHANGING.values(toRow(subscription))],
      );
    },
    async find(sourceId) {
      const [row] = await tx.query<SubscriptionRow>(
        `SELECT ${SUBSCRIPTION_COLUMNS}
         FROM ${firstRow("events_subscriptions", "source_id >= $1", "source_id")} f
         WHERE f.source_id = $1`,
        [sourceId],
      );
      return row === undefined ? null : toSubscription(row);
    },
    async list(accountId) {
      const rows = await tx.query<SubscriptionRow>(
        `${SELECT_SUBSCRIPTION}${accountId === undefined ? "" : " WHERE f.account_id = $1"}
         ORDER BY f.created_at, f.source_id`,
        accountId === undefined ? [] : [accountId],
      );
      return rows.map(toSubscription);
    },
    async claimDue(now, claimedUntil, limit) {
      // Transactions are serial, so no other process claims between the two statements.
      const rows = await tx.query<SubscriptionRow>(
        `${SELECT_SUBSCRIPTION} WHERE f.next_fetch_at <= $1
         ORDER BY f.next_fetch_at, f.source_id LIMIT $2`,
        [now, limit],
      );
      await tx.queryRows(
        `UPDATE events_subscriptions SET next_fetch_at = $1
         WHERE source_id IN (SELECT r.source_id FROM {rows} AS r)`,
        { columns: { source_id: "text" }, rows: rows.map(({ sourceId }) => [sourceId]) },
        [claimedUntil],
      );
      return rows.map((row) => ({ ...toSubscription(row), nextFetchAt: claimedUntil }));
    },
  };
}

function toRow(subscription: Subscription): SubscriptionRow {
  return { ...subscription, rules: JSON.stringify(subscription.rules) };
}

function toSubscription(row: SubscriptionRow): Subscription {
  return { ...row, rules: JSON.parse(row.rules) as Subscription["rules"] };
}
