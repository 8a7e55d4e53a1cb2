import type { Database } from "../database/database.ts";
import { loadUsage, readInstanceUsage, saveUsage } from "./instance-usage.ts";
import { readUsageRow, writeUsageRow } from "./usage-rows.ts";

/** Writes the usage after a command changed the store. Only a server says when it had the store open. */
export async function refreshUsage(
  dataDir: string,
  database: Database,
  now: number,
): Promise<void> {
  const isFile = database.dialect === "sqlite";
  const written = isFile ? await loadUsage(dataDir) : await readUsageRow(database);
  if (written === null) return;
  const { writtenAt, isOpen } = written;
  const usage = { ...(await readInstanceUsage(database, isOpen, now)), writtenAt };
  await (isFile ? saveUsage(dataDir, usage) : writeUsageRow(database, usage));
}
