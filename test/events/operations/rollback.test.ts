/** A database that is rolled back to an earlier state does not revive what was revoked since. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { EVENTS_EXAMINER } from "../../../src/events/maintenance/backup.ts";
import { restoreEventsContents } from "../../../src/events/maintenance/restore.ts";
import type { SqlEventsStore } from "../../../src/events/sql/open-sql-events-store.ts";
import { BACKUP_KEY, findBackupKey } from "../../database/backup-sample.ts";
import { copyDatabaseFile, putDatabaseFileBack } from "../../database/put-file-back.ts";
import { createPlace, testOnBothStores } from "../store/on-both-stores.ts";
import {
  addAccount,
  NOW,
  sampleGrant,
  sampleInteraction,
  sampleSession,
} from "../store/samples.ts";
import { createOperated, type ServedEvents } from "./instance.ts";
import { connectApp } from "./person.ts";

const ADA = { username: "ada", password: "correct horse battery" };

/** Two sessions, two grants, and a person who decides. */
async function signInTwice(store: SqlEventsStore): Promise<string> {
  const accountId = await addAccount(store, "ada");
  await store.transaction(async ({ sessions, grants, interactions }) => {
    for (const name of ["phone", "laptop"]) {
      await sessions.open(sampleSession(accountId, `session-of-${name}`));
      await grants.add(sampleGrant(accountId, name));
    }
    await interactions.add(sampleInteraction("one"), 10);
  });
  return accountId;
}

/** What still gives access. */
async function listAccess(store: SqlEventsStore): Promise<string[]> {
  const found: string[] = [];
  for (const name of ["phone", "laptop"]) {
    if ((await store.findSession(`session-of-${name}`, NOW)) !== null) found.push(`${name} page`);
    if ((await store.findGrant(`hash-of-${name}`, NOW)) !== null) found.push(`${name} app`);
  }
  const waiting = await store.reads.interactions.find("interaction-one", NOW);
  return waiting === null ? found : [...found, "interaction"];
}

const ALL = ["phone page", "phone app", "laptop page", "laptop app", "interaction"];

const REVOCATIONS: Readonly<
  Record<string, (store: SqlEventsStore, id: string) => Promise<unknown>>
> = {
  "a session that was ended": (store) =>
    store.transaction(({ sessions }) => sessions.close("session-of-phone")),
  "the sessions of an account": (store, id) =>
    store.transaction(({ sessions }) => sessions.closeAll(id)),
  "a grant": (store) => store.transaction(({ grants }) => grants.revoke("grant-phone")),
  "the grants of an account": (store, id) =>
    store.transaction(({ grants }) => grants.revokeAll(id)),
  "a token that an app revoked": (store) =>
    store.transaction(({ grants }) => grants.revokeToken("hash-of-phone", "app")),
  "codes that were not redeemed": (store, id) =>
    store.transaction(({ grants }) => grants.revokeCodes(id)),
};

for (const [what, revoke] of Object.entries(REVOCATIONS)) {
  test(`a database file that is rolled back does not revive ${what}`, async (t) => {
    const place = await createPlace(t, "SQLite");
    const store = await place.open();
    const accountId = await signInTwice(store);
    await store.close();
    const copy = await copyDatabaseFile(place);
    const later = await place.open();
    assert.equal(later.sessionsWereRevoked, false);
    assert.deepEqual(await listAccess(later), ALL);
    await revoke(later, accountId);
    await later.close();
    await putDatabaseFileBack(place, copy);
    const revived = await place.open();
    assert.equal(revived.sessionsWereRevoked, true);
    assert.deepEqual(await listAccess(revived), []);
    await revived.close();
    // Once: the next start finds a store that is as new as the file.
    assert.equal((await place.open()).sessionsWereRevoked, false);
  });
}

test("a copy that lost no revocation keeps its sessions", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const accountId = await signInTwice(store);
  await store.close();
  const copy = await copyDatabaseFile(place);
  const later = await place.open();
  await later.transaction(({ grants }) => grants.add(sampleGrant(accountId, "tablet")));
  await later.transaction(({ sessions }) => sessions.close("session-of-nobody"));
  await later.close();
  await putDatabaseFileBack(place, copy);
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, false);
  assert.deepEqual(await listAccess(found), ALL);
});

test("sessions that a restore ended are not revived by the file from before it", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await signInTwice(store);
  const path = join(place.folder, "one.backup");
  const options = { product: "1.0.0", now: NOW, instanceKey: null, key: BACKUP_KEY };
  await createBackup(store.database, path, EVENTS_EXAMINER, options);
  await store.close();
  const copy = await copyDatabaseFile(place);
  const later = await place.open();
  const backup = await openBackup(path, EVENTS_EXAMINER, findBackupKey);
  await restoreEventsContents(later, backup.contents, NOW);
  await backup.close();
  await later.close();
  await putDatabaseFileBack(place, copy);
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, true);
  assert.deepEqual(await listAccess(found), []);
});

testOnBothStores("a database behind its high-water file revokes everything", async (place) => {
  const store = await place.open();
  await signInTwice(store);
  await store.transaction(({ grants }) => grants.revoke("grant-phone"));
  await store.database.transaction((tx) =>
    tx.query("UPDATE identity_session_epochs SET epoch = epoch - 1"),
  );
  await store.close();
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, true);
  assert.deepEqual(await listAccess(found), []);
  const counts = await found.transaction(({ identity }) => identity.listSecurityCounts());
  assert.deepEqual(
    counts.map(({ kind, total }) => [kind, total]),
    [["store-restored", 1]],
  );
});

testOnBothStores("a database that is rolled back under its process is noticed", async (place) => {
  const store = await place.open();
  await signInTwice(store);
  await store.transaction(({ grants }) => grants.revoke("grant-phone"));
  await store.database.transaction((tx) =>
    tx.query("UPDATE identity_session_epochs SET epoch = epoch - 1"),
  );
  await store.prune(NOW);
  assert.deepEqual(await listAccess(store), []);
});

test("a revocation that fails moves no epoch, and a missing file revokes nothing", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await signInTwice(store);
  const failing = store.transaction(async ({ grants }) => {
    await grants.revoke("grant-phone");
    throw new Error("It fails");
  });
  await assert.rejects(failing, /It fails/);
  assert.equal(store.highWater.readSessionEpoch(), 0);
  await store.close();
  await rm(join(place.dataDir, "events.highwater"));
  const found = await place.open();
  assert.equal(found.sessionsWereRevoked, false);
  assert.deepEqual(await listAccess(found), ALL);
});

test("a served store that was rolled back says so, and its apps must connect again", async (t) => {
  const place = await createPlace(t, "SQLite");
  const instance = await createOperated(t, place);
  await instance.addAccount(ADA);
  const first = await instance.serve();
  const token = await connectApp(first.createBrowser(), ADA, first.ask);
  await stop(first.process);
  const copy = await copyDatabaseFile(place);
  const { grants } = await instance.tell<{ grants: { grantId: string }[] }>("grants list");
  await instance.tell(`grants revoke ${grants[0]?.grantId} --yes`);
  await putDatabaseFileBack(place, copy);
  const warned = await instance.run("grants list");
  assert.match(warned.stderr, /rolled back .+ connected app is revoked with the next start/);
  const second = await instance.serve();
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await second.ask("/api/events", { headers })).status, 401);
  const told = second.process.stdout().split("\n");
  const lines = told.filter((line) => line.startsWith('{"event":"sessions_revoked"'));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /"level":"warn"/);
  await connectApp(second.createBrowser(), ADA, second.ask);
  await stop(second.process);
  assert.match((await instance.run("status")).stdout, /1 rollback that the high-water mark showed/);
});

async function stop({ child, ended }: ServedEvents["process"]): Promise<void> {
  child.kill("SIGTERM");
  assert.deepEqual(await ended, { code: 0, signal: null });
}
