import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { openBackup, verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { EVENTS_EXAMINER } from "../../../src/events/maintenance/backup.ts";
import { readEventsStatus } from "../../../src/events/maintenance/read-status.ts";
import {
  restoreEventsContents,
  type EventsRestoreResult,
} from "../../../src/events/maintenance/restore.ts";
import type { SqlEventsStore } from "../../../src/events/sql/open-sql-events-store.ts";
import { samplePasskey } from "../../../store-contract/samples.ts";
import { expectAuthentication, type VerifyWith } from "../../database/backup-authenticity.ts";
import {
  BACKUP_KEY,
  findBackupKey,
  packBackup,
  readSample,
  type BackupSample,
} from "../../database/backup-sample.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createPlace, testOnBothStores } from "./on-both-stores.ts";
import {
  addAccount,
  addSource,
  DAY_MS,
  eventsOf,
  NOW,
  prepare,
  put,
  remove,
  sampleGrant,
  sampleInteraction,
  sampleSession,
  sampleSubscription,
  write,
} from "./samples.ts";

const OPTIONS = { product: "1.0.0", now: NOW, instanceKey: null, key: BACKUP_KEY };
const LATER = NOW + 30 * DAY_MS;

async function restore(
  store: SqlEventsStore,
  file: string,
  now = LATER,
): Promise<EventsRestoreResult> {
  const backup = await openBackup(file, EVENTS_EXAMINER, findBackupKey);
  try {
    return await restoreEventsContents(store, backup.contents, now);
  } finally {
    await backup.close();
  }
}

/** All visible records of an account. */
async function look(store: SqlEventsStore, accountId: string) {
  const { events, total } = await store.events.listManaged(accountId, NOW, 0, 1000);
  const records = await store.transaction(async (stored) => {
    const { identity, profiles, sources, subscriptions, grants } = stored;
    return {
      passkeys: await identity.listPasskeys(accountId),
      profile: await profiles.find(accountId),
      sources: await sources.list(accountId),
      subscriptions: await subscriptions.list(accountId),
      grants: await grants.list(NOW, accountId),
    };
  });
  const changes = await store.events.listChanges(accountId, 0, 1000, true);
  return {
    ...records,
    total,
    changes: eventsOf(changes),
    events: events.map((event) => ({ ...event, updatedAt: 0 })),
  };
}

/** An account with one record of each kind. */
async function fill(store: SqlEventsStore, name = "ada"): Promise<[string, string]> {
  const at = await prepare(store, name);
  const [accountId] = at;
  const feed = await addSource(store, accountId, "feed", { kind: "subscription" });
  await store.transaction(async (records) => {
    const { identity, profiles, subscriptions, grants, sessions, interactions } = records;
    await profiles.put({ accountId, timeZone: "Europe/Berlin", language: null });
    await subscriptions.add(sampleSubscription(feed, { report: '{"added":1}' }));
    await grants.add(sampleGrant(accountId, name));
    await identity.addPasskey(samplePasskey(`passkey-of-${name}`, { accountId }));
    await sessions.open(sampleSession(accountId, `session-of-${name}`));
    await interactions.add(sampleInteraction(name), 10);
  });
  await write(store, at, [put("a"), put("b", null), put("gone"), remove("gone")]);
  await write(store, [accountId, feed.sourceId], [put("c", "2026-08-01T00:30:00+02:00")]);
  return at;
}

testOnBothStores("a backup while others write is one moment, whole and private", async (place) => {
  const [store, beside] = [await place.open(), await place.open()];
  const at = await fill(store);
  let isOver = false;
  const writers = [store, beside].map(async (writer, index) => {
    for (let round = 0; !isOver; round++) {
      const name = `${index}-${round % 50}`;
      await write(writer, at, [put(`${name}-x`), put(`${name}-y`), remove(`${name}-y`)]);
    }
  });
  for (let round = 0; round < 3; round++) {
    const path = join(place.folder, `${round}.backup`);
    const { events } = await createBackup(beside.database, path, EVENTS_EXAMINER, OPTIONS);
    // Each transaction adds one event and deletes one.
    assert.equal(events.live - 3, events.deleted - 1);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  }
  isOver = true;
  await Promise.all(writers);
  const names = (await readdir(place.folder)).filter((name) => name !== "data");
  assert.deepEqual(names.sort(), ["0.backup", "1.backup", "2.backup"]);
  await assert.rejects(
    createBackup(store.database, join(place.folder, "0.backup"), EVENTS_EXAMINER, OPTIONS),
    /already a file/,
  );
});

testOnBothStores(
  "the manifest describes the contents, and no sessions are included",
  async (place) => {
    const store = await place.open();
    await fill(store);
    await addAccount(store, "grace");
    const path = join(place.folder, "one.backup");
    const manifest = await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
    assert.deepEqual(
      { ...manifest, sha256: manifest.sha256.length, fileBytes: 0 },
      {
        createdAt: "2026-08-21T00:00:00.000Z",
        product: "1.0.0",
        instanceKey: null,
        counts: {
          identity_accounts: 2,
          identity_passkeys: 1,
          events_profiles: 1,
          events_sources: 2,
          events_subscriptions: 1,
          events_grants: 1,
          events_counters: 1,
          events_entries: 4,
        },
        sha256: 64,
        authenticity: { kind: "authentic" },
        isEncrypted: false,
        fileBytes: 0,
        usernames: ["ada", "grace"],
        events: { live: 3, deleted: 1 },
      },
    );
    assert.deepEqual(await verifyBackup(path, EVENTS_EXAMINER, findBackupKey), manifest);
    const text = gunzipSync(await readFile(path)).toString();
    assert.doesNotMatch(text, /session-of-ada|interaction-ada/);
  },
);

for (const from of STORE_KINDS) {
  for (const to of STORE_KINDS) {
    test(`a backup of ${from} is restored into an empty store on ${to}`, async (t) => {
      const [source, target] = [await createPlace(t, from), await createPlace(t, to)];
      const store = await source.open();
      const at = await fill(store);
      const path = join(source.folder, "move.backup");
      await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
      const moved = await target.open();
      assert.deepEqual(await restore(moved, path), {
        addedAccounts: 1,
        replacedAccounts: 0,
        deletedEvents: 0,
      });
      assert.deepEqual(await look(moved, at[0]), await look(store, at[0]));
      const grant = await moved.findGrant("hash-of-ada", NOW);
      assert.equal(grant?.accountId, at[0], "apps stay connected");
      assert.equal(await moved.findSession("session-of-ada", NOW), null);
      // All stamps are new, and later ones are greater.
      const changes = await moved.events.listChanges(at[0], LATER, 100, true);
      assert.deepEqual([eventsOf(changes).length, changes.lastStamp], [4, LATER + 3]);
      await write(moved, at, [put("a", null)], NOW);
      assert.equal(
        (await moved.events.listChanges(at[0], LATER + 4, 9, true)).lastStamp,
        LATER + 4,
      );
    });
  }
}

testOnBothStores(
  "after a restore an app that follows the changes has the restored events",
  async (place) => {
    const store = await place.open();
    const at = await fill(store);
    const path = join(place.folder, "one.backup");
    await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
    const then = await look(store, at[0]);
    const club = await addSource(store, at[0], "club");
    await write(store, at, [
      put("a", "2026-12-24", { title: "Changed" }),
      remove("b"),
      put("gone"),
    ]);
    await write(
      store,
      [at[0], club.sourceId],
      [put("later"), put("later-gone"), remove("later-gone")],
    );
    const app = new Map<string, string>();
    let since = 0;
    const follow = async () => {
      for (;;) {
        const page = await store.events.listChanges(at[0], since, 2, true);
        for (const event of eventsOf(page)) app.set(event.id, JSON.stringify(event));
        if (page.lastStamp === null) return;
        since = page.lastStamp + 1;
      }
    };
    await follow();
    assert.deepEqual(await restore(store, path, NOW - DAY_MS), {
      addedAccounts: 0,
      replacedAccounts: 1,
      deletedEvents: 1,
    });
    const now = await look(store, at[0]);
    assert.deepEqual({ ...now, changes: [] }, { ...then, changes: [] });
    await follow();
    const live = [...app.values()].filter((text) => !text.includes('"deleted":true'));
    const listed = eventsOf(await store.events.listAll(at[0], NOW, 100));
    assert.deepEqual(live.sort(), listed.map((event) => JSON.stringify(event)).sort());
    assert.match(app.get("later") ?? "", /"deleted":true/);
  },
);

testOnBothStores("a restore turns neither passwords nor apps back in time", async (place) => {
  const store = await place.open();
  const at = await fill(store);
  const [accountId] = at;
  const path = join(place.folder, "one.backup");
  await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
  const other = await fill(store, "grace");
  await store.transaction(async ({ identity, grants, subscriptions }) => {
    await identity.replaceVerifier(accountId, "another", NOW + 1);
    await grants.revoke("grant-ada");
    await identity.removePasskey(accountId, "passkey-of-ada");
    await grants.revokeCodes(accountId);
    await grants.add(sampleGrant(accountId, "newer"));
    const [feed] = await subscriptions.list(accountId);
    assert.ok(feed !== undefined);
    await subscriptions.update({
      ...feed,
      etag: '"1"',
      lastModified: "then",
      lastError: "timeout",
    });
  });
  const hers = await look(store, other[0]);
  await restore(store, path);
  const account = await store.transaction(({ identity }) => identity.findAccount("ada"));
  assert.equal(account?.sealedVerifier, "another");
  const passkeys = await store.transaction(({ identity }) => identity.listPasskeys(accountId));
  assert.deepEqual(passkeys, [], "a removed passkey stays removed");
  assert.equal(await store.transaction((records) => records.grants.codeEpoch(accountId)), 1);
  const { grants } = await look(store, accountId);
  assert.deepEqual(
    grants.map(({ grantId }) => grantId),
    ["grant-newer"],
  );
  assert.deepEqual(
    await look(store, other[0]),
    hers,
    "whom the backup does not know is left alone",
  );
  assert.equal(await store.findSession("session-of-grace", NOW), null, "browsers sign in again");
  const waiting = await store.transaction(({ interactions }) =>
    interactions.find("interaction-ada", NOW),
  );
  assert.equal(waiting, null);
});

test("after a restore a feed is fetched unconditionally", async (t) => {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const [accountId] = await fill(store);
  const [feed] = await store.transaction(({ subscriptions }) => subscriptions.list());
  assert.ok(feed !== undefined);
  const fetched = { ...feed, etag: '"1"', lastModified: "then", entryCount: 7 };
  await store.transaction(({ subscriptions }) => subscriptions.update(fetched));
  const path = join(place.folder, "one.backup");
  await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
  await restore(store, path);
  const { subscriptions } = await look(store, accountId);
  assert.deepEqual(subscriptions, [{ ...fetched, etag: null, lastModified: null }]);
});

test("an account of the same name that is another is not mixed up", async (t) => {
  const [source, target] = [await createPlace(t, "SQLite"), await createPlace(t, "SQLite")];
  const store = await source.open();
  await fill(store);
  const path = join(source.folder, "one.backup");
  await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
  const other = await target.open();
  await other.transaction(({ identity }) =>
    identity.addAccount({
      accountId: "another",
      username: "ada",
      sealedVerifier: "x",
      createdAt: NOW,
      passwordChangedAt: NOW,
      hasPassword: true,
    }),
  );
  await assert.rejects(restore(other, path), /another account that is called "ada"/);
  assert.deepEqual((await readEventsStatus(other.database)).events, { live: 0, deleted: 0 });
});

async function createSample(t: TestContext): Promise<BackupSample> {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await fill(store);
  const path = join(place.folder, "sample.backup");
  await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
  return readSample(path, (file) => verifyBackup(file, EVENTS_EXAMINER, findBackupKey));
}

test("an inconsistent backup is refused, even with a valid digest", async (t) => {
  const { lines, refuses } = await createSample(t);
  const edit = (start: string, change: (line: string) => string | null) => {
    const index = lines.findIndex((line) => line.startsWith(start));
    assert.ok(index > 0, start);
    const changed = change(lines[index] ?? "");
    return packBackup(lines.flatMap((line, at) => (at === index ? (changed ?? []) : line)));
  };
  const drop = () => null;
  await refuses(edit('["identity_accounts"', drop), /contradict/);
  await refuses(edit('["events_counters"', drop), /counter/);
  await refuses(edit('["events_entries"', drop), /counter/);
  const sources = lines.findIndex((line) => line.includes('"file","school"'));
  await refuses(packBackup(lines.toSpliced(sources, 1)), /no source/);
  const swap = (from: string, to: string) => (line: string) => {
    assert.ok(line.includes(from), from);
    return line.replace(from, to);
  };
  await refuses(edit('["identity_accounts"', swap('"events"', '"sync"')), /another service/);
  await refuses(edit('["events_entries"', swap('"a"', '"z"')), /not written as apps get it/);
  await refuses(edit('["events_entries"', swap("subject_name", "subject")), /not written/);
  await refuses(edit('["events_entries"', swap('{\\"id\\"', "{")), /not written/);
  await refuses(edit('["events_grants"', swap('"app"', "null")), /fits no table/);
  await refuses(edit('["events_sources"', swap('"file"', '"other"')), /contradict/);
  await refuses(gzipSync("{}\n"), /not a backup of an events service/);
});

test("a backup is authentic, or was changed, or cannot be checked", async (t) => {
  const sample = await createSample(t);
  const path = join(sample.folder, "changed.backup");
  const verify: VerifyWith = (file, findKey) => verifyBackup(file, EVENTS_EXAMINER, findKey);
  await expectAuthentication(sample, path, verify, "events_entries");
});

test("a flipped bit is noticed, or changes nothing that is restored", async (t) => {
  await (await createSample(t)).noticesFlippedBits(40);
});

const RESTORER = fileURLToPath(new URL("run-restore.ts", import.meta.url));

testOnBothStores("a killed restore leaves the old contents or the new", async (place) => {
  const store = await place.open();
  const at = await prepare(store);
  const many = Array.from({ length: 2000 }, (_, index) => `event-${index}`);
  await write(
    store,
    at,
    many.map((id) => put(id)),
  );
  const path = join(place.folder, "one.backup");
  await createBackup(store.database, path, EVENTS_EXAMINER, OPTIONS);
  await write(
    store,
    at,
    many.map((id) => put(`later-${id}`)),
  );
  const counts = new Set<number>();
  for (const delay of [0, 20, 60, 120, 5000]) {
    const child = spawn(process.execPath, [RESTORER, place.store, place.dataDir, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ending = once(child, "close");
    await once(child.stdout, "data");
    const timer = setTimeout(() => child.kill("SIGKILL"), delay);
    await ending;
    clearTimeout(timer);
    const { live } = (await readEventsStatus(store.database)).events;
    const { total } = await store.events.listManaged(at[0], NOW, 0, 1);
    assert.equal(total, live);
    assert.ok(live === 4000 || live === 2000, `${live}`);
    counts.add(live);
    if (live === 2000) break;
  }
  assert.deepEqual([...counts].sort(), [2000, 4000]);
});
