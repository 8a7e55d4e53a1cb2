/** Whether the store of a service can be opened and read, and has the tables of this version. */
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StoreDescription } from "../../backup/store-description.ts";
import type { Database } from "../../database/database.ts";
import { MigrationError } from "../../database/find-pending.ts";
import { isMigrated, listPending, readMaker } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open-database.ts";
import { findMark } from "../../database/open-store.ts";
import { UPGRADE_ADVICE } from "../../database/prepare-upgrade.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { checkClockOfFile, checkClockOfServer } from "./check-clock.ts";
import { checkHighWater } from "./check-high-water.ts";
import type { BackedUpStore } from "./diagnose-backups.ts";
import { diagnosePostgres } from "./diagnose-postgres.ts";
import { errorFinding, warning, type Finding } from "./finding.ts";

export interface CheckedStore
  extends Pick<StoreDescription, "schema" | "highWaterFile">, BackedUpStore {}

/** `checkContents` is called with a store that has the tables. */
export async function diagnoseStore(
  service: CheckedStore,
  checkContents: (database: Database) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { name, store } = service;
  const subject = `${name} store`;
  const file = sqlitePath(store);
  const mark = findMark(join(service.dataDir, service.highWaterFile));
  if (file !== undefined && !existsSync(file)) {
    return [
      mark === null
        ? warning(subject, `${file} will be created on first use`, "create an account")
        : lostStore(name, subject, mark),
    ];
  }
  // To open the store writes to its files.
  const clock = file === undefined ? null : checkClockOfFile(file, service.now);
  const ownFindings =
    file === undefined ? await diagnosePostgres(subject, store) : checkFileMode(subject, file);
  let database: Database;
  try {
    database = await openDatabase(store);
  } catch (error) {
    // The address may contain a password; the store's message never repeats it.
    const { message } = error as Error;
    const fix =
      file === undefined
        ? `check \`${name}.store\` and its server`
        : findRemedyOfFile(name, file, message);
    return [...ownFindings, errorFinding(subject, message, fix)];
  }
  try {
    const unusable = await findUnusable(name, subject, database);
    if (unusable !== null) return [...ownFindings, unusable];
    const upgrade = await checkVersion(service, subject, database);
    if (upgrade !== null) return [...ownFindings, upgrade];
    const path = join(service.dataDir, service.highWaterFile);
    return [
      ...ownFindings,
      ...(clock ?? (await checkClockOfServer(database, Date.now))),
      ...checkHighWater(subject, path, { isExpected: file !== undefined }),
      ...(await checkContents(database)),
    ];
  } catch (error) {
    return [...ownFindings, await explainUnreadable(service, subject, database, mark, error)];
  } finally {
    await database.close();
  }
}

/** Only a damaged file is to be moved away. */
function findRemedyOfFile(name: StoreOwner, file: string, message: string): string {
  const { bavail } = statfsSync(dirname(file));
  if (bavail === 0) return "free space on its disk; nothing in it is lost";
  return /damaged|not a database/.test(message)
    ? `move it and its -wal and -shm files away, and restore a backup with \`trellis ${name} restore FILE\``
    : `check who may read and write ${file} and its folder, and that no other program has it open`;
}

/** A PostgreSQL database that responds, but in which the service cannot write or make its tables. */
async function findUnusable(
  name: StoreOwner,
  subject: string,
  database: Database,
): Promise<Finding | null> {
  if (database.dialect === "sqlite") return null;
  const [row] = await database.query<{ is_standby: number; lacks_schema: number }>(
    "select pg_is_in_recovery() as is_standby, current_schema() is null as lacks_schema",
  );
  if (row?.is_standby === 1) {
    return errorFinding(
      subject,
      "its server is a standby, which cannot be written, so `trellis serve` does not start",
      `name the primary in \`${name}.store\`, or all servers`,
    );
  }
  return row?.lacks_schema === 1
    ? errorFinding(
        subject,
        "the schema that its `search_path` names does not exist, so `trellis serve` does not start",
        `create it with \`CREATE SCHEMA\`, or correct \`${name}.store\``,
      )
    : null;
}

async function explainUnreadable(
  { name }: CheckedStore,
  subject: string,
  database: Database,
  mark: string | null,
  error: unknown,
): Promise<Finding> {
  if (await isMigrated(database, name).catch(() => true)) {
    return errorFinding(
      subject,
      `it cannot be read: ${(error as Error).message}`,
      `check the rights of its role, or restore a backup with \`trellis ${name} restore FILE\``,
    );
  }
  return mark === null
    ? warning(subject, "it has no tables of this service yet", "run `trellis serve` once")
    : lostStore(name, subject, mark);
}

function lostStore(name: StoreOwner, subject: string, mark: string): Finding {
  return errorFinding(
    subject,
    `it is gone, but the high-water mark ${mark} says that there was one, so \`trellis serve\` does not start`,
    `put it back, or restore a backup with \`trellis ${name} restore FILE\`; to begin with an empty store, move the mark away`,
  );
}

/** Checks the version of the tables; null when it is this version. */
async function checkVersion(
  { schema }: CheckedStore,
  subject: string,
  database: Database,
): Promise<Finding | null> {
  try {
    const pending = await listPending(database, schema);
    if (pending.length === 0) return null;
    return warning(
      subject,
      `it is older than this version (${pending.join(", ")}): ${await readMaker(database)} made it`,
      UPGRADE_ADVICE[database.dialect],
    );
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return errorFinding(subject, error.message, "see docs/operate/upgrade.md");
  }
}

function checkFileMode(subject: string, file: string): Finding[] {
  if (process.platform === "win32" || (statSync(file).mode & 0o007) === 0) return [];
  return [
    warning(subject, `every user of this machine can read ${file}`, `run \`chmod o-rwx ${file}\``),
  ];
}
