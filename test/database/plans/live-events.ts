import { join } from "node:path";
import { openBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import type { Database } from "../../../src/database/database.ts";
import { EVENTS_EXAMINER } from "../../../src/events/maintenance/backup.ts";
import { readEventsStatus, readFeedHealth } from "../../../src/events/maintenance/read-status.ts";
import { restoreEventsContents } from "../../../src/events/maintenance/restore.ts";
import {
  migrateEvents,
  openSqlEventsStore,
  readSqlEventsStore,
  type SqlEventsStore,
} from "../../../src/events/sql/open-sql-events-store.ts";
import type { EventsReads } from "../../../src/events/store.ts";
import {
  addSource,
  DAY_MS,
  NOW,
  put,
  remove,
  sampleGrant,
  sampleInteraction,
  sampleSession,
  sampleSource,
  sampleSubscription,
  write,
} from "../../events/store/samples.ts";
import { BACKUP_KEY, findBackupKey } from "../backup-sample.ts";
import { liveIdentity } from "./live-identity.ts";
import type { StatementRecorder } from "./record-statements.ts";

const WINDOW = { start: NOW, end: NOW + 60_000 };

/** Does everything that is ever done with an events store; the folder is for its files. */
export async function liveEvents(
  database: Database,
  folder: string,
  { record }: StatementRecorder,
): Promise<void> {
  const recorded = record(database);
  const options = { highWaterPath: join(folder, "events.highwater") };
  await migrateEvents(recorded);
  const store = await openSqlEventsStore(recorded, options);
  await store.ping();
  await store.probeWrite(NOW);
  await store.transaction(({ identity }) => liveIdentity(identity, "anna"));
  await store.transaction(({ rateLimitCounters }) =>
    rateLimitCounters.take("someone", WINDOW, 1, 2),
  );
  const accountId = "account-of-anna";
  await livePages(store, accountId);
  await liveGrants(store, accountId);
  await liveSources(store, accountId);
  await liveList(store, accountId);
  for (const read of Object.values(READS)) await read(store.reads, accountId);
  await backUpAndRestore(store, folder, record);
  await store.prune(NOW + 1000 * DAY_MS);

  // The sessions of the database are older than its high-water mark.
  store.highWater.writeSessionEpoch(1000);
  await readSqlEventsStore(recorded, options);
  await openSqlEventsStore(recorded, options);
  store.highWater.close();
}

type ReadName = {
  [K in keyof EventsReads]: `${K}.${keyof EventsReads[K] & string}`;
}[keyof EventsReads];

/** Everything that is read outside of transactions too, where the same statement keeps its plan. */
const READS: Readonly<
  Record<ReadName, (reads: EventsReads, accountId: string) => Promise<unknown>>
> = {
  "identity.findAccount": ({ identity }) => identity.findAccount("nobody"),
  "identity.findKnownBrowsers": ({ identity }) => identity.findKnownBrowsers(["hash"], NOW),
  "identity.readFailures": ({ identity }) => identity.readFailures(["subject"]),
  "identity.listPasskeys": ({ identity }, accountId) => identity.listPasskeys(accountId),
  "identity.listSignIns": ({ identity }, accountId) => identity.listSignIns(accountId),
  "profiles.find": ({ profiles }, accountId) => profiles.find(accountId),
  "interactions.find": ({ interactions }) => interactions.find("interaction-one", NOW),
  "grants.list": ({ grants }, accountId) => grants.list(NOW, accountId),
  "sessions.list": ({ sessions }, accountId) => sessions.list(accountId, NOW),
  "sources.find": ({ sources }) => sources.find("source"),
  "subscriptions.find": ({ subscriptions }) => subscriptions.find("source"),
  "subscriptions.list": ({ subscriptions }, accountId) => subscriptions.list(accountId),
  "events.find": ({ events }, accountId) => events.find(accountId, "one"),
};

async function livePages(store: SqlEventsStore, accountId: string): Promise<void> {
  await store.transaction(async ({ profiles, sessions, interactions }) => {
    await profiles.put({ accountId, timeZone: "Europe/Berlin", language: "de" });
    await profiles.find(accountId);
    await sessions.open(sampleSession(accountId, "browser"));
    await sessions.isLive("browser", NOW);
    await sessions.touch("browser", NOW + DAY_MS);
    await interactions.add(sampleInteraction("one"), 10);
    await interactions.find("interaction-one", NOW);
    await interactions.take("interaction-one", NOW);
  });
  await store.findSession("browser", NOW);
  await store.transaction(async ({ sessions }) => {
    await sessions.close("browser");
    await sessions.closeAll(accountId);
  });
}

async function liveGrants(store: SqlEventsStore, accountId: string): Promise<void> {
  await store.transaction(async ({ grants }) => {
    for (const name of ["one", "two", "three"]) await grants.add(sampleGrant(accountId, name));
    await grants.touch("grant-one", NOW, NOW + DAY_MS);
    await grants.codeEpoch(accountId);
    await grants.list(NOW);
    await grants.list(NOW, accountId);
  });
  await store.findGrant("hash-of-one", NOW);
  await store.transaction(async ({ grants }) => {
    await grants.revoke("grant-one");
    await grants.revoke("grant-two", accountId);
    await grants.revokeToken("hash-of-three", "app");
    await grants.revokeCodes(accountId);
    await grants.revokeAll(accountId);
  });
}

async function liveSources(store: SqlEventsStore, accountId: string): Promise<void> {
  await store.transaction(async ({ sources, subscriptions }) => {
    const source = sampleSource(accountId, "feed", { kind: "subscription" });
    await sources.findOrAdd(source);
    await sources.list(accountId);
    await sources.find(source.sourceId);
    await subscriptions.add(sampleSubscription(source));
    await subscriptions.update(sampleSubscription(source, { failures: 1 }));
    await subscriptions.find(source.sourceId);
    await subscriptions.list();
    await subscriptions.list(accountId);
    await subscriptions.claimDue(NOW, NOW + DAY_MS, 10);
    await sources.remove(source.sourceId);
  });
}

async function liveList(store: SqlEventsStore, accountId: string): Promise<void> {
  const { sourceId } = await addSource(store, accountId, "school");
  const place = [accountId, sourceId] as const;
  await write(store, place, [
    put("one"),
    put("two", null),
    put("three", "2020-01-01"),
    put("four"),
  ]);
  await write(store, place, [
    remove("four"),
    { kind: "missing", eventId: "one", missing: 1 },
    put("two"),
  ]);
  await store.transaction(async ({ events }) => {
    await events.find(accountId, "one");
    await events.listSource(accountId, sourceId);
  });
  await store.events.listAll(accountId, NOW, 10);
  await store.events.listChanges(accountId, 0, 10, true);
  await store.events.listChanges(accountId, 0, 10, false);
  await store.events.listManaged(accountId, NOW, 0, 10);
  const filter = { text: "one", sourceId, state: null };
  await store.events.searchManaged(accountId, NOW, filter, 0, 10);
}

async function backUpAndRestore(
  store: SqlEventsStore,
  folder: string,
  record: StatementRecorder["record"],
): Promise<void> {
  const { database } = store;
  await readEventsStatus(database);
  await readFeedHealth(database, NOW);
  const file = join(folder, "events.backup");
  const examiner: typeof EVENTS_EXAMINER = {
    ...EVENTS_EXAMINER,
    examine: (contents, statement) => EVENTS_EXAMINER.examine(record(contents), statement),
  };
  await createBackup(database, file, examiner, {
    product: "1.0.0",
    now: NOW,
    instanceKey: null,
    key: BACKUP_KEY,
  });
  const backup = await openBackup(file, EVENTS_EXAMINER, findBackupKey);
  await restoreEventsContents(store, record(backup.contents), NOW);
  await backup.close();
}
