/** The instance key, the store, its account and its last backup. Changes nothing. */
import type { Database } from "../../database/database.ts";
import { SYNC_REALM } from "../../sync/store.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { examineBackup } from "./examine-backup.ts";
import { examineKey } from "./examine-key.ts";
import { examinePasswords } from "./examine-passwords.ts";
import { examineStore } from "./examine-store.ts";
import { ok, warning, type Finding } from "./finding.ts";

export async function examineSync(
  { store, instanceKeyFile }: SyncConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  const key = examineKey("sync", instanceKeyFile);
  return [
    key,
    ...(await examineStore("sync", store, async (database) => [
      ...(await examineTables(database)),
      ...(key.level === "ok"
        ? await examinePasswords("sync", SYNC_REALM, database, instanceKeyFile)
        : []),
    ])),
    await examineBackup("sync", dataDir, now),
  ];
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
