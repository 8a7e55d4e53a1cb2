import type { Database } from "../../database/database.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { SYNC_STORE } from "../sync-store.ts";
import { checkAccountCount, diagnoseStoreService } from "./diagnose-store-service.ts";
import { ok, type Finding } from "./finding.ts";

export function diagnoseSync(
  configuration: SyncConfiguration,
  dataDir: string,
  now: number,
): Promise<Finding[]> {
  return diagnoseStoreService({ ...configuration, ...SYNC_STORE, checkTables, dataDir, now });
}

async function checkTables(database: Database): Promise<Finding[]> {
  const [row] = await database.query<{ operations: number; accounts: number }>(
    `SELECT (SELECT count(*) FROM sync_operations) AS operations,
       (SELECT count(*) FROM identity_accounts WHERE realm = 'sync') AS accounts,
       (SELECT count(*) FROM sync_generations) AS generations`,
  );
  return [
    ok("sync store", `it is readable and has ${row?.operations} operations in its log`),
    checkAccountCount("sync", "sync account", row?.accounts ?? 0),
  ];
}
