/** The checks that sync and events share: instance key, store, passwords, backups. */
import type { Database } from "../../database/database.ts";
import { listSqlSecurityCounts } from "../../identity/sql-identity-records.ts";
import { describeSecurityCount, findSecurityRemedy } from "../security-events.ts";
import { checkKey, checkPasswords } from "./check-instance-key.ts";
import { diagnoseStore, type CheckedStore } from "./diagnose-store.ts";
import { diagnoseBackups } from "./diagnose-backups.ts";
import { ok, warning, type Finding } from "./finding.ts";

export interface CheckedService extends CheckedStore {
  checkTables(database: Database): Promise<Finding[]>;
}

export async function diagnoseStoreService(service: CheckedService): Promise<Finding[]> {
  const { key, isMissing } = await checkKey(service);
  const findings = await diagnoseStore(service, async (database) => [
    ...(await service.checkTables(database)),
    ...(await checkSecurityEvents(service, database)),
    ...(key.level === "ok" ? await checkPasswords(service, database) : []),
  ]);
  // Only the store says whether it needs a key that is missing.
  const isTold = isMissing && findings.some(({ subject }) => subject === key.subject);
  return [...(isTold ? [] : [key]), ...findings, ...(await diagnoseBackups(service))];
}

async function checkSecurityEvents(
  { name, now }: CheckedService,
  database: Database,
): Promise<Finding[]> {
  const subject = `${name} security`;
  const counts = await listSqlSecurityCounts(database, name);
  if (counts.length === 0) return [ok(subject, "no security event has been counted")];
  return counts.map((count) => {
    const message = describeSecurityCount(count);
    const remedy = findSecurityRemedy(count, now);
    return remedy === null ? ok(subject, message) : warning(subject, message, remedy);
  });
}
