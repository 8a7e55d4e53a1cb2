/** The checks that sync and events share: instance key, store, passwords, backups. */
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Database } from "../../database/database.ts";
import { MigrationError } from "../../database/find-pending.ts";
import { isMigrated, listPending, readMaker } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open-database.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import {
  belongsToAnotherKey,
  belongsToRetiredKey,
  listLockedAccounts,
  type KeyLocation,
} from "../../identity/bind-instance-key.ts";
import {
  keyPlaceOf,
  nameKey,
  readKey,
  readKeyOf,
  type KeyPlace,
} from "../../identity/key-place.ts";
import { listSqlSecurityCounts } from "../../identity/sql-identity-records.ts";
import { describeKeys, summarizeKeys } from "../describe-key.ts";
import { findMark } from "../../database/open-store.ts";
import { UPGRADE_ADVICE } from "../../database/prepare-upgrade.ts";
import { describeSecurityCount, findSecurityRemedy } from "../security-events.ts";
import type { StoreDescription } from "../../backup/store-description.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { checkClockOfFile, checkClockOfServer } from "./check-clock.ts";
import { checkHighWater } from "./check-high-water.ts";
import { diagnoseBackups, type BackedUpStore } from "./diagnose-backups.ts";
import { diagnosePostgres } from "./diagnose-postgres.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

export interface CheckedService
  extends Pick<StoreDescription, "schema" | "highWaterFile">, BackedUpStore {
  checkTables(database: Database): Promise<Finding[]>;
}

export async function diagnoseStoreService(service: CheckedService): Promise<Finding[]> {
  const { key, isMissing } = await checkKey(service);
  const findings = await checkStore(service, async (database) => [
    ...(await service.checkTables(database)),
    ...(await checkSecurityEvents(service, database)),
    ...(key.level === "ok" ? await checkPasswords(service, database) : []),
  ]);
  // Only the store says whether it needs a key that is missing.
  const isTold = isMissing && findings.some(({ subject }) => subject === key.subject);
  return [...(isTold ? [] : [key]), ...findings, ...(await diagnoseBackups(service))];
}

const INVITE = { sync: "account create --invite", events: "account invite" };

export async function checkAccountCount(
  database: Database,
  {
    name,
    subject,
    now,
  }: { readonly name: StoreOwner; readonly subject: string; readonly now: number },
  count: number,
): Promise<Finding> {
  if (count > 0) {
    return ok(subject, count === 1 ? "there is one account" : `there are ${count} accounts`);
  }
  const [row] = await database.query<{ until: number | null }>(
    `SELECT max(expires_at) AS until FROM identity_secrets
     WHERE instance = $instance AND realm = $1 AND purpose = 'invitation' AND expires_at > $2`,
    [name, now],
  );
  const until = row?.until ?? null;
  return until === null
    ? warning(
        subject,
        "there is no account, so sign-in is not possible",
        `run \`trellis ${name} account create --username NAME\`, or invite its owner with \`trellis ${name} ${INVITE[name]}\``,
      )
    : ok(
        subject,
        `there is no account yet; an invitation can be used until ${new Date(until).toISOString()}`,
      );
}

async function checkKey(
  service: CheckedService,
): Promise<{ readonly key: Finding; readonly isMissing: boolean }> {
  const { name, now } = service;
  const subject = `${name} key`;
  const place = keyPlaceOf(service);
  const described =
    typeof place === "string"
      ? { made: place, kept: `${place} is readable by this user only` }
      : { made: "it", kept: "it is sealed in the database under the host's key" };
  try {
    const ring = await readKeyOf(service);
    if (ring === null) {
      return {
        key: ok(subject, `${described.made} will be created on first use`),
        isMissing: true,
      };
    }
    const keys = describeKeys(summarizeKeys(ring), now);
    return { key: ok(subject, `${described.kept}: ${keys}`), isMissing: false };
  } catch (error) {
    const { message } = error as Error;
    const remedy = "until this is fixed, sign-in is not possible";
    return { key: errorFinding(subject, message, remedy), isMissing: false };
  }
}

async function checkStore(
  service: CheckedService,
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
  { name }: CheckedService,
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
  { schema }: CheckedService,
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

/** A store that was moved without its key works until the first sign-in. */
async function checkPasswords(service: CheckedService, database: Database): Promise<Finding[]> {
  const { name } = service;
  const place = keyPlaceOf(service);
  const location = { realm: name, place };
  if ((await readKey(place, database)) === null) return checkMissingKey(name, database, location);
  // A store that no newer version has opened yet remembers no key.
  if (await belongsToAnotherKey(database, location).catch(() => false)) {
    return [
      errorFinding(
        `${name} key`,
        `the store belongs to another key than the ${nameKey(place)}, so \`trellis serve\` does not start`,
        `restore the right key file, or give up the old one with \`trellis ${name} account password --new-instance-key\``,
      ),
    ];
  }
  if (await belongsToRetiredKey(database, location).catch(() => false)) {
    return [
      warning(
        `${name} key`,
        "its rotation was interrupted: the store still belongs to a retired key",
        "start the server, which completes it",
      ),
    ];
  }
  const locked = await listLockedAccounts(database, location);
  return locked.map((username) =>
    errorFinding(
      `${name} key`,
      `the password of "${username}" is encrypted with another key`,
      `restore the right key file, or set a new password with \`trellis ${name} account password\``,
    ),
  );
}

function nameMissing(place: KeyPlace): string {
  return typeof place === "string" ? `the key file ${place}` : `the ${nameKey(place)}`;
}

/** A store without accounts gets a key on first use. */
async function checkMissingKey(
  name: StoreOwner,
  database: Database,
  location: KeyLocation,
): Promise<Finding[]> {
  const isNeeded =
    (await belongsToAnotherKey(database, location).catch(() => false)) ||
    (await listLockedAccounts(database, location)).length > 0;
  if (!isNeeded) return [];
  return [
    errorFinding(
      `${name} key`,
      `${nameMissing(location.place)} is missing, and the store needs it, so \`trellis serve\` does not start`,
      `restore your copy of it; without one, give up the key with \`trellis ${name} account password --new-instance-key\``,
    ),
  ];
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
