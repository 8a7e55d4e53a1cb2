/** The stores, backups and dump of a frozen folder, made with the commands that an operator uses. */
import { execFileSync } from "node:child_process";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { startDatabaseServer } from "../../bench/host/database-server.ts";
import { runInside } from "../../test/fixtures/run-inside.ts";
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";
import { FROZEN_ACCOUNTS, frozenSettings } from "./facts.ts";

const CALENDAR = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Trellis//Frozen//EN
BEGIN:VEVENT
UID:exam@example.com
DTSTAMP:20260801T000000Z
DTSTART;VALUE=DATE:20260921
SUMMARY:Exam: history
END:VEVENT
BEGIN:VEVENT
UID:trip@example.com
DTSTAMP:20260801T000000Z
DTSTART:20261002T073000Z
SUMMARY:Trip to the museum
END:VEVENT
END:VCALENDAR
`;

/** Runs a command in the folder, which has a configuration; fails with what it said. */
export async function run(home: string, words: string, input = ""): Promise<string> {
  const { code, stdout, stderr } = await runInside(home, words.split(" "), { input });
  if (code !== 0) throw new Error(`trellis ${words}: ${stderr}`);
  return stdout;
}

export async function createFrozenAccount(
  home: string,
  service: keyof typeof FROZEN_ACCOUNTS,
): Promise<void> {
  const { username, password } = FROZEN_ACCOUNTS[service];
  const words = `${service} account create --username ${username} --password-stdin`;
  await run(home, words, `${password}\n`);
}

export async function createFrozenAccounts(home: string): Promise<void> {
  await createFrozenAccount(home, "sync");
  await createFrozenAccount(home, "events");
  const file = join(home, "calendar.ics");
  await writeFile(file, CALENDAR.replaceAll("\n", "\r\n"));
  await run(home, `events import ${file} --account ${FROZEN_ACCOUNTS.events.username}`);
}

/** A plain one of each service, and one that is encrypted to the public key of a test. */
export async function makeBackups(home: string, folder: string): Promise<void> {
  for (const service of ["sync", "events"]) {
    await run(home, `${service} backup ${join(folder, `${service}.backup`)}`);
  }
  const identity = await generateIdentity();
  await writeFile(join(folder, "age-identity.txt"), `# For tests alone\n${identity}\n`);
  const config = join(home, "trellis.config.json");
  const settings = await readFile(config, "utf8");
  const { sync, ...others } = JSON.parse(settings) as { sync: object };
  const backup = { encryptTo: [await identityToRecipient(identity)] };
  await writeFile(config, JSON.stringify({ ...others, sync: { ...sync, backup } }));
  await run(home, `sync backup ${join(folder, "sync.backup.age")}`);
  await writeFile(config, settings);
}

/** The stores in one database, as SQL that any later PostgreSQL runs. */
export async function dumpPostgres(home: string, folder: string): Promise<void> {
  const server = await startDatabaseServer(home);
  try {
    for (const service of ["sync", "events"]) {
      const from = `sqlite:${join(home, "data", `${service}.db`)}`;
      await run(home, `store copy --service ${service} --from ${from} --to ${server.address}`);
    }
    const options = ["--inserts", "--no-owner", "--no-privileges", server.superuser];
    const dump = execFileSync("pg_dump", options, { encoding: "utf8" });
    // What only psql understands; another client may run the rest.
    await writeFile(join(folder, "postgres.sql"), dump.replaceAll(/^\\.*\n/gm, ""));
  } finally {
    await server.close();
  }
}

const STORE_FILES = ["sync.db", "events.db", "instance.key", "sync.highwater", "events.highwater"];

export async function takeStores(home: string, folder: string): Promise<void> {
  for (const name of STORE_FILES) await copyFile(join(home, "data", name), join(folder, name));
}

export async function writeSettings(
  home: string,
  store?: string,
  profile?: SyncProfile,
): Promise<void> {
  const settings = frozenSettings(join(home, "data"), store, profile);
  await writeFile(join(home, "trellis.config.json"), JSON.stringify(settings));
}

/** What `trellis sync export` lists. */
export async function exportEntities(home: string): Promise<unknown[]> {
  const file = join(home, "export.json");
  await rm(file, { force: true });
  await run(home, `sync export ${file}`);
  const { entities } = JSON.parse(await readFile(file, "utf8")) as { entities: unknown[] };
  return entities;
}
