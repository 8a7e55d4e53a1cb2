/** The instance key, the store, its account and its last backup. Changes nothing. */
import { existsSync } from "node:fs";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";
import { readInstanceSecret } from "../../identity/instance-key.ts";
import { readLastBackup } from "../../sync/maintenance/last-backup.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { fault, ok, warning, type Finding } from "./finding.ts";

const DAY_MS = 86_400_000;
/** A timer that runs daily and has failed for a week. */
const OLD_BACKUP_DAYS = 7;

export async function examineSync(
  { store, instanceKeyFile }: SyncConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  return [
    examineKey(instanceKeyFile),
    ...(await examineStore(store)),
    await examineBackup(dataDir, now),
  ];
}

function examineKey(path: string): Finding {
  try {
    return readInstanceSecret(path) === null
      ? ok("sync key", `${path} is made on first use`)
      : ok("sync key", `${path} is here and closed to others`);
  } catch (error) {
    return fault("sync key", (error as Error).message, "nobody can sign in until then");
  }
}

async function examineStore(store: string): Promise<Finding[]> {
  const file = /^sqlite:(.*)$/s.exec(store)?.[1];
  if (file !== undefined && !existsSync(file)) {
    return [warning("sync store", `${file} is made on first use`, "create the account")];
  }
  let database: Database;
  try {
    database = await openDatabase(store);
  } catch (error) {
    // The address may hold a password; the message of the store never repeats it.
    return [fault("sync store", (error as Error).message, "check `sync.store` and its server")];
  }
  try {
    return await examineTables(database);
  } catch {
    return [
      warning("sync store", "it has no tables of this service yet", "run `trellis serve` once"),
    ];
  } finally {
    await database.close();
  }
}

async function examineTables(database: Database): Promise<Finding[]> {
  const [row] = await database.query<{ operations: number; accounts: number }>(
    `SELECT (SELECT count(*) FROM sync_operations) AS operations,
       (SELECT count(*) FROM identity_accounts WHERE realm = 'sync') AS accounts,
       (SELECT count(*) FROM sync_generations) AS generations`,
  );
  return [
    ok("sync store", `it answers and has ${row?.operations} operations in its log`),
    row?.accounts === 0
      ? warning(
          "sync account",
          "there is none, so nobody can sign in",
          "run `trellis sync account create --username NAME`",
        )
      : ok("sync account", "there is one"),
  ];
}

async function examineBackup(dataDir: string, now: number): Promise<Finding> {
  const last = await readLastBackup(dataDir);
  if (last === null) {
    return warning(
      "sync backup",
      "there was none yet",
      "run `trellis sync backup FILE` on a timer",
    );
  }
  const days = Math.floor((now - Date.parse(last.createdAt)) / DAY_MS);
  if (!existsSync(last.file)) {
    return warning(
      "sync backup",
      `the last one, ${last.file}, is not there`,
      "see that it is kept",
    );
  }
  return days >= OLD_BACKUP_DAYS
    ? warning("sync backup", `the last one is ${days} days old`, "check the timer that makes them")
    : ok("sync backup", `${last.file} is ${days === 0 ? "less than a day" : `${days} days`} old`);
}
