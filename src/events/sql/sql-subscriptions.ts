/** Subscriptions in SQL. */
import type { Queryable, Row, SqlValue } from "../../database/database.ts";
import type { Subscription, SubscriptionRecords, WordRule } from "../store.ts";

interface SubscriptionRow extends Row {
  readonly source_id: string;
  readonly account_id: string;
  readonly sealed_url: string;
  readonly url_hash: string;
  readonly created_at: number;
  readonly name: string;
  readonly default_type: string;
  readonly rules: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly last_fetched_at: number | null;
  readonly last_succeeded_at: number | null;
  readonly last_fault: string | null;
  readonly warning: string | null;
  readonly next_fetch_at: number;
  readonly failures: number;
  readonly entry_count: number | null;
  readonly report: string | null;
}

const CHANGING = [
  "name",
  "default_type",
  "rules",
  "etag",
  "last_modified",
  "last_fetched_at",
  "last_succeeded_at",
  "last_fault",
  "warning",
  "next_fetch_at",
  "failures",
  "entry_count",
  "report",
];
const COLUMNS = ["source_id", ...CHANGING, "account_id", "sealed_url", "url_hash", "created_at"];
const SELECT = `SELECT ${COLUMNS.join(", ")} FROM events_subscriptions`;

export function createSqlSubscriptions(tx: Queryable): SubscriptionRecords {
  return {
    async add(subscription) {
      const { sourceId, accountId, sealedUrl, urlHash, createdAt } = subscription;
      const rows = await tx.query(
        `INSERT INTO events_subscriptions (${COLUMNS.join(", ")})
         VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(", ")})
         ON CONFLICT (account_id, url_hash) DO NOTHING RETURNING source_id`,
        [sourceId, ...changingValues(subscription), accountId, sealedUrl, urlHash, createdAt],
      );
      return rows.length > 0;
    },
    async update(subscription) {
      await tx.query(
        `UPDATE events_subscriptions
         SET ${CHANGING.map((column, index) => `${column} = $${index + 2}`).join(", ")}
         WHERE source_id = $1`,
        [subscription.sourceId, ...changingValues(subscription)],
      );
    },
    async find(sourceId) {
      const [row] = await tx.query<SubscriptionRow>(`${SELECT} WHERE source_id = $1`, [sourceId]);
      return row === undefined ? null : toSubscription(row);
    },
    async list(accountId) {
      const rows = await tx.query<SubscriptionRow>(
        `${SELECT}${accountId === undefined ? "" : " WHERE account_id = $1"}
         ORDER BY created_at, source_id`,
        accountId === undefined ? [] : [accountId],
      );
      return rows.map(toSubscription);
    },
    async claimDue(now, claimedUntil, limit) {
      // Writers follow one another, so nobody claims between these two.
      const rows = await tx.query<SubscriptionRow>(
        `${SELECT} WHERE next_fetch_at <= $1 ORDER BY next_fetch_at, source_id LIMIT $2`,
        [now, limit],
      );
      await tx.queryRows(
        `UPDATE events_subscriptions SET next_fetch_at = $1
         WHERE source_id IN (SELECT r.source_id FROM {rows} AS r)`,
        { columns: { source_id: "text" }, rows: rows.map(({ source_id }) => [source_id]) },
        [claimedUntil],
      );
      return rows.map((row) => ({ ...toSubscription(row), nextFetchAt: claimedUntil }));
    },
  };
}

/** In the order of `CHANGING`. */
function changingValues(subscription: Subscription): SqlValue[] {
  return [
    subscription.name,
    subscription.defaultType,
    JSON.stringify(subscription.rules),
    subscription.etag,
    subscription.lastModified,
    subscription.lastFetchedAt,
    subscription.lastSucceededAt,
    subscription.lastFault,
    subscription.warning,
    subscription.nextFetchAt,
    subscription.failures,
    subscription.entryCount,
    subscription.report,
  ];
}

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    sourceId: row.source_id,
    accountId: row.account_id,
    name: row.name,
    sealedUrl: row.sealed_url,
    urlHash: row.url_hash,
    defaultType: row.default_type,
    rules: JSON.parse(row.rules) as WordRule[],
    createdAt: row.created_at,
    etag: row.etag,
    lastModified: row.last_modified,
    lastFetchedAt: row.last_fetched_at,
    lastSucceededAt: row.last_succeeded_at,
    lastFault: row.last_fault,
    warning: row.warning,
    nextFetchAt: row.next_fetch_at,
    failures: row.failures,
    entryCount: row.entry_count,
    report: row.report,
  };
}
