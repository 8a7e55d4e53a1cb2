import type { Database } from "../../database/database.ts";
import { readEventsStatus } from "../../events/maintenance/read-status.ts";
import type { EventsConfiguration } from "../../configuration/configuration-schema.ts";
import { EVENTS_STORE } from "../../events/sql/open-store.ts";
import { checkAccountCount } from "./check-account-count.ts";
import { diagnoseStoreService } from "./diagnose-store-service.ts";
import { ok, warning, type Finding } from "./finding.ts";

/** One failed fetch is common; three in a row mean hours. */
const FAILING_FROM = 3;
/** The worker looks for due subscriptions twice a minute, and a claim lasts for minutes. */
const OVERDUE_MS = 60 * 60_000;

export function diagnoseEvents(
  configuration: EventsConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  return diagnoseStoreService({
    ...configuration,
    ...EVENTS_STORE,
    dataDir,
    now,
    checkTables: async (database) => [
      ...(await checkTables(database, now)),
      ...(await checkSubscriptions(database, now)),
    ],
  });
}

async function checkTables(database: Database, now: number): Promise<Finding[]> {
  const { accounts, events } = await readEventsStatus(database);
  return [
    ok("events store", `it is readable and has ${events.live} live events`),
    await checkAccountCount(
      database,
      { name: "events", subject: "events accounts", now },
      accounts,
    ),
  ];
}

async function checkSubscriptions(database: Database, now: number): Promise<Finding[]> {
  const [row] = await database.query<{
    all_rows: number;
    failing: number;
    held: number;
    overdue: number;
  }>(
    `SELECT count(*) AS all_rows,
       count(CASE WHEN failures >= $1 THEN 1 END) AS failing,
       count(warning) AS held,
       count(CASE WHEN next_fetch_at < $2 THEN 1 END) AS overdue
     FROM events_subscriptions`,
    [FAILING_FROM, now - OVERDUE_MS],
  );
  const { all_rows: all = 0, failing = 0, held = 0, overdue = 0 } = row ?? {};
  const subject = "events subscriptions";
  const findings = [
    {
      count: failing,
      message: `failed ${FAILING_FROM} times or more in a row`,
      remedy: "see why with `trellis events subscriptions list`",
    },
    {
      count: held,
      message: "lost entries, whose events were kept",
      remedy: "see `trellis events subscriptions list`",
    },
    {
      count: overdue,
      message: "should have been fetched over an hour ago",
      remedy: "start `trellis serve events`, or see its log",
    },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, message, remedy }) => warning(subject, `${count} of ${all} ${message}`, remedy));
  return findings.length > 0 ? findings : [ok(subject, `${all}, none failing`)];
}
