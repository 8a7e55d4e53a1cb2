/** Backups that a server with many instances makes by itself, and their restore. */
import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { backupKeyOf, readBackupKey } from "../../../src/backup/backup-key.ts";
import { inInstance } from "../../../src/database/named-instance.ts";
import { readKeyOf } from "../../../src/identity/key-place.ts";
import { readBackupState } from "../../../src/backup/backup-state.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createAgeKeys } from "../../fixtures/age-keys.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { createOwnerBrowser } from "../service/owner-browser.ts";
import { postJson } from "../sync-client.ts";
import {
  addAccount,
  askOf,
  bearer,
  createHostPlace,
  originOf,
  PASSWORD,
  signInTo,
  startHost,
  USERNAME,
} from "./serve-host.ts";

for (const kind of STORE_KINDS) {
  test(`the host backs every instance up into its own folder, also a suspended one (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    for (const name of ["ada", "bob"]) await addAccount(place, name);
    const to = join(place.dataDir, "backups");
    const notices: string[] = [];
    const instances = {
      ada: { baseUrl: originOf("ada") },
      bob: { baseUrl: originOf("bob"), suspended: true },
      unused: { baseUrl: originOf("unused") },
    };
    const host = startHost(t, place, [], {
      instances,
      backup: { to },
      onNotice: (notice, instance) => notices.push(`${instance} ${notice.kind}`),
    });
    await host.backUpDue();
    assert.deepEqual((await readdir(to)).sort(), ["ada", "bob"]);
    // Made with a store of its own: no instance takes a place for it, and none stays open.
    assert.deepEqual(host.counts(), { instances: 3, open: 0, inUse: 0 });
    assert.deepEqual(notices.sort(), ["ada backup-made", "bob backup-made"]);
    for (const name of ["ada", "bob"]) {
      const dataDir = join(place.dataDir, "instances", name);
      const { last } = await readBackupState(dataDir, "sync");
      const [file = ""] = await readdir(join(to, name));
      assert.equal(last?.place, join(to, name, file));
      const ring = await readKeyOf({
        store: place.store === undefined ? "sqlite:" : inInstance(place.store, name),
        instanceKeyFile: join(dataDir, "instance.key"),
        hostKeyFile: join(place.dataDir, "host.key"),
      });
      const key = backupKeyOf(ring, "sync");
      const { authenticity, username } = await verifyBackup(
        join(to, name, file),
        SYNC_EXAMINER,
        async () => key,
      );
      assert.deepEqual([authenticity.kind, username], ["authentic", USERNAME]);
    }
    await host.backUpDue();
    assert.equal((await readdir(join(to, "ada"))).length, 1);
  });
}

test("the host encrypts the backups of every instance to the keys that it is given", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  for (const name of ["ada", "bob"]) await addAccount(place, name);
  const to = join(place.dataDir, "backups");
  const { identity, recipient } = await createAgeKeys();
  const host = startHost(t, place, ["ada", "bob"], { backup: { to, encryptTo: [recipient] } });
  await host.backUpDue();
  for (const name of ["ada", "bob"]) {
    const [file = ""] = await readdir(join(to, name));
    assert.match(file, /\.backup\.age$/);
    const key = readBackupKey(join(place.dataDir, "instances", name, "instance.key"), "sync");
    const options = { identities: [identity] };
    const path = join(to, name, file);
    const manifest = await verifyBackup(path, SYNC_EXAMINER, async () => key, options);
    assert.deepEqual([manifest.isEncrypted, manifest.authenticity.kind], [true, "authentic"]);
  }
});

test("a backup beside requests disturbs none, and its owner sees how old it is", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const to = join(place.dataDir, "backups");
  const host = startHost(t, place, ["ada"], { backup: { to, every: "hour" } });
  const ask = askOf(host, "ada");
  const { accessToken } = await signInTo(host, "ada");
  const browser = createOwnerBrowser(ask);
  await browser.signIn({ username: USERNAME, password: PASSWORD });
  const pushed = await Promise.all([
    host.backUpDue(),
    ...[1, 2, 3].map(async (sequence) => {
      const body = { operations: [createOperation({ sequence })] };
      const { status } = await postJson(ask, "/v1/push", body, bearer(accessToken));
      assert.equal(status, 200);
    }),
  ]);
  assert.equal(pushed.length, 4);
  const page = await browser.readPage("/?tab=data");
  assert.match(page, /just now|minutes? ago/);
  assert.doesNotMatch(page, /trellis sync backup/);
});

test("an owner of a hosted instance without a backup reads who makes one, and no command", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const browser = createOwnerBrowser(askOf(startHost(t, place, ["ada"]), "ada"));
  await browser.signIn({ username: USERNAME, password: PASSWORD });
  for (const [language, told] of [
    ["en", /operator of this server/],
    ["de", /Betreiber dieses Servers/],
  ] as const) {
    const page = await browser.readPage(`/?tab=data&lang=${language}`);
    assert.match(page, told);
    assert.doesNotMatch(page, /trellis sync backup/);
  }
});

test("a place that cannot be written stops no request, and says why", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const notices: string[] = [];
  const host = startHost(t, place, ["ada"], {
    // A file is in the way.
    backup: { to: join(place.dataDir, "instances", "ada", "instance.key") },
    onNotice: (notice) => notices.push(notice.kind),
  });
  await host.backUpDue();
  assert.deepEqual(notices, ["backup-failed"]);
  const { failure } = await readBackupState(join(place.dataDir, "instances", "ada"), "sync");
  assert.match(failure?.message ?? "", /Cannot write to ".*instance\.key.*ada"/);
  assert.equal((await askOf(host, "ada")("/v1/health")).status, 200);
  await rm(join(place.dataDir, "instances", "ada", "sync.backups.json"));
});
