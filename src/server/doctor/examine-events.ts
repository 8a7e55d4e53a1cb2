/** The instance key, the store, accounts, passwords, subscriptions and the last backup. Changes nothing. */
import type { Database } from "../../database/database.ts";
import { readEventsStatus } from "../../events/maintenance/read-status.ts";
import { EVENTS_REALM } from "../../events/store.ts";
import type { EventsConfiguration } from "../configuration-schema.ts";
import { examineBackup } from "./examine-backup.ts";
import { examineKey } from "./examine-key.ts";
import { examinePasswords } from "./examine-passwords.ts";
import { examineStore } from "./examine-store.ts";
import { ok, warning, type Finding } from "./finding.ts";

/** One failure is a bad moment of somebody's server; three in a row are hours. */
const FAILING_FROM = 3;
/** The worker looks twice a minute, and a claim lasts for minutes. */
const OVERDUE_MS = 60 * 60_000;

export async function examineEvents(
  { store, instanceKeyFile }: EventsConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const key = examineKey("events", instanceKeyFile);
  return [
    key,
    ...(await examineStore("events", store, async (database) => [
      ...(await examineTables(database)),
      ...(key.level === "ok"
        ? await examinePasswords("events", EVENTS_REALM, database, instanceKeyFile)
        : []),
      ...(await examineSubscriptions(database, now)),
    ])),
    await examineBackup("events", dataDir, now),
  ];
}

async function examineTables(database: Database): Promise<Finding[]> {
  const { accounts, events } = await readEventsStatus(database);
  return [
    ok("events store", `it answers; live events: ${events.live}`),
    accounts === 0
      ? warning(
          "events accounts",
          "there is none, so nobody can sign in",
          "run `trellis events account create --username NAME`",
        )
      : ok("events accounts", accounts === 1 ? "there is one" : `there are ${accounts}`),
  ];
}

async function examineSubscriptions(database: Database, now: number): Promise<Finding[]> {
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
    ...(failing === 0
      ? []
      : [
          warning(
            subject,
            `${failing} of ${all} failed ${FAILING_FROM} times or more in a row`,
            "see why with `trellis events subscriptions list`",
          ),
        ]),
    ...(held === 0
      ? []
      : [
          warning(
            subject,
            `${held} of ${all} lost entries, whose events were kept`,
            "see `trellis events subscriptions list`",
          ),
        ]),
    ...(overdue === 0
      ? []
      : [
          warning(
            subject,
            `${overdue} of ${all} should have been fetched over an hour ago`,
            "start `trellis serve events`, or see its log",
          ),
        ]),
  ];
  return findings.length > 0 ? findings : [ok(subject, `${all}, none failing`)];
}
