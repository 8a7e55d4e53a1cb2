/** Whether a store is there and answers; what is in it, its service knows. Changes nothing. */
import { existsSync, statSync } from "node:fs";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";
import type { StoreOwner } from "../leased-store.ts";
import { fault, warning, type Finding } from "./finding.ts";

export async function examineStore(
  owner: StoreOwner,
  store: string,
  examineTables: (database: Database) => Promise<Finding[]>,
): Promise<Finding[]> {
  const subject = `${owner} store`;
  const file = /^sqlite:(.*)$/s.exec(store)?.[1];
  if (file !== undefined && !existsSync(file)) {
    return [warning(subject, `${file} is made on first use`, "create an account")];
  }
  const findings = file === undefined ? [] : examineMode(subject, file);
  let database: Database;
  try {
    database = await openDatabase(store);
  } catch (error) {
    // The address may hold a password; the message of the store never repeats it.
    return [fault(subject, (error as Error).message, `check \`${owner}.store\` and its server`)];
  }
  try {
    return [...findings, ...(await examineTables(database))];
  } catch {
    return [warning(subject, "it has no tables of this service yet", "run `trellis serve` once")];
  } finally {
    await database.close();
  }
}

/** It holds what people wrote down for themselves. */
function examineMode(subject: string, file: string): Finding[] {
  if (process.platform === "win32" || (statSync(file).mode & 0o007) === 0) return [];
  return [warning(subject, `${file} is open to everybody here`, `run \`chmod o-rwx ${file}\``)];
}
