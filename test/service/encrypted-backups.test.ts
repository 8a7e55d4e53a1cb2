/** Backups that are encrypted to public keys: by the commands, and by the schedule. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { verifyBackup } from "../../src/backup/format/open-backup.ts";
import { createBackup } from "../../src/backup/format/write-backup.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { readBackupKey } from "../../src/backup/backup-key.ts";
import { backupName, backupPrefix } from "../../src/backup/schedule/backup-name.ts";
import { makeScheduledBackup, type BackupJob } from "../../src/backup/schedule/make-backup.ts";
import { openSyncStore, SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { BACKUP_KEY, findBackupKey } from "../database/backup-sample.ts";
import { createStorePlaces, type StorePlace } from "../database/on-both-stores.ts";
import { createAgeKeys } from "../fixtures/age-keys.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { S3_BUCKET, serveS3 } from "../fixtures/s3-server.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { pushTo } from "../sync/operations/device.ts";
import { createAccount } from "./create-account.ts";
import { loadStore } from "../../src/operate/load-store.ts";

const MAGIC = "age-encryption.org/v1\n";
const NOW = Date.parse("2026-01-31T00:00:07Z");
const DAY_MS = 86_400_000;

async function createInstance(t: TestContext, service: "sync" | "events") {
  const folder = await mkdtemp(join(tmpdir(), "trellis-encrypted-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const keys = await createAgeKeys();
  const identityFile = join(folder, "key.txt");
  const comments = `# created: 2026-01-31\n# public key: ${keys.recipient}\n`;
  const other = await createAgeKeys();
  await writeFile(identityFile, `${comments}${other.identity}\n\n${keys.identity}\n`, {
    mode: 0o600,
  });
  const backup = { encryptTo: [keys.recipient] };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify({ [service]: { backup } }));
  await createAccount(folder, service, { username: "ada", password: "a long enough password" });
  return {
    folder,
    identityFile,
    keys,
    other,
    file: join(folder, "one.backup.age"),
    run: (...words: string[]) => runInside(folder, [service, ...words]),
  };
}

for (const service of ["sync", "events"] as const) {
  test(`${service}: a backup is encrypted, and opens with the identity alone`, async (t) => {
    const { run, file, folder, identityFile, other } = await createInstance(t, service);
    const made = await run("backup", file);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /Encrypted +with age/);
    const bytes = await readFile(file);
    assert.ok(bytes.toString("latin1").startsWith(MAGIC));
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    // It is told from a broken one.
    for (const words of [["verify"], ["restore", "--yes"]]) {
      const [command = "", ...options] = words;
      const closed = await run(command, file, ...options);
      assert.equal(closed.code, 1);
      assert.match(closed.stderr, /The backup is encrypted with age: .+ --identity FILE; nothing/);
    }
    const otherFile = join(folder, "other.txt");
    await writeFile(otherFile, other.identity, { mode: 0o600 });
    const refused = await run("verify", file, "--identity", otherFile);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /one\.backup\.age: The backup is encrypted to other public keys/);

    const verified = await run("verify", file, "--identity", identityFile);
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /is complete and authentic$/m);
    assert.equal(verified.stderr, "");
    const restored = await run("restore", file, "--identity", identityFile, "--yes");
    assert.equal(restored.code, 0, restored.stderr);
    const left = (await readdir(folder, { recursive: true })).filter((name) =>
      /scratch|partial/.test(name),
    );
    assert.deepEqual(left, []);
  });
}

test("a damaged encrypted backup is not valid, and an identity file is judged", async (t) => {
  const { run, file, folder, identityFile, keys } = await createInstance(t, "sync");
  await run("backup", file);
  const bytes = await readFile(file);
  const broken = join(folder, "broken.age");
  await writeFile(broken, bytes.subarray(0, bytes.length - 1));
  const cut = await run("verify", broken, "--identity", identityFile);
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /: The backup is not valid.+It cannot be decrypted/);

  const judge = async (text: string, mode = 0o600) => {
    const path = join(folder, `judged-${Math.random()}.txt`);
    await writeFile(path, text, { mode });
    return run("verify", file, "--identity", path);
  };
  const identity = await readFile(identityFile, "utf8");
  assert.match((await judge("# only a comment\n")).stderr, /^There is no identity in/);
  const unknown = await judge(`${identity}AGE-PLUGIN-YUBIKEY-1SECRET\n`);
  assert.match(unknown.stderr, /a line that is not an identity/);
  assert.doesNotMatch(unknown.stderr, /1SECRET/);
  const publicKey = await judge(`${keys.recipient}\n`);
  assert.match(publicKey.stderr, /has a public key \(age1…\), which only encrypts/);
  const missing = await run("verify", file, "--identity", join(folder, "missing"));
  assert.match(missing.stderr, /^Cannot read the identity file ".+missing" \(ENOENT\)/);
  for (const mode of [0o640, 0o604]) {
    const open = await judge(identity, mode);
    assert.equal(open.code, 0);
    assert.match(open.stderr, /Other users of this machine can read the identity file/);
  }
});

const NO_AGE = {
  skip: spawnSync("age", ["--version"]).error !== undefined && "age is not installed",
};

test("the age tool makes an ordinary backup of an encrypted one", NO_AGE, async (t) => {
  const { run, file, folder, identityFile } = await createInstance(t, "sync");
  await run("backup", file);
  const plain = join(folder, "plain.backup");
  const { status, stderr } = spawnSync("age", ["-d", "-i", identityFile, "-o", plain, file]);
  assert.equal(status, 0, stderr.toString());
  assert.match((await run("verify", plain)).stdout, /is complete and authentic$/m);
});

const { createPlace, testOnBothStores } = createStorePlaces(async (store, dataDir) => {
  const opened = await openSyncStore(store, dataDir);
  await pushTo(opened, [createOperation({ deviceId: "a", sequence: 1 })]);
  return opened;
});

async function createJob(place: StorePlace<unknown>, to: string) {
  await place.open();
  const instanceKeyFile = join(place.dataDir, "instance.key");
  openInstanceKey(instanceKeyFile);
  const key = readBackupKey(instanceKeyFile, "sync");
  assert.ok(key !== null);
  const { identity, recipient } = await createAgeKeys();
  const keep = { daily: 1, weekly: 0, monthly: 0 };
  const job: BackupJob = {
    service: "sync",
    store: place.store,
    dataDir: place.dataDir,
    instanceKeyFile,
    settings: { every: "day", keep, to, encryptTo: [recipient] },
    now: NOW,
  };
  const prefix = backupPrefix("sync", key);
  return {
    job,
    identity,
    nameAt: (at: number, isEncrypted: boolean) => backupName(prefix, at, isEncrypted),
    verify: (path: string) =>
      verifyBackup(path, SYNC_STORE.examiner, async () => key, { identities: [identity] }),
  };
}

testOnBothStores(
  "the schedule encrypts into a folder, and deletes old ones of both kinds",
  async (place) => {
    const folder = join(place.folder, "backups");
    const { job, nameAt, verify } = await createJob(place, folder);
    const { encryptTo: _, ...plain } = job.settings;
    const first = await makeScheduledBackup({ ...job, settings: plain }, { env: {}, loadStore });
    assert.equal(first.kind, "made", JSON.stringify(first));
    // What a crash left, in the folder and beside the store.
    const second = { ...job, now: NOW + 2 * DAY_MS };
    const name = nameAt(second.now, true);
    await writeFile(join(folder, `${nameAt(NOW, true)}.0123456789ab.partial`), "left");
    await mkdir(join(job.dataDir, "sync.backup-draft"));
    // Another user of a shared folder cannot pass a link off as the backup of the day.
    const link = nameAt(second.now, false);
    await symlink("/nowhere", join(folder, link));
    const made = await makeScheduledBackup(second, { env: {}, loadStore });
    assert.equal(made.kind, "made", JSON.stringify(made));
    assert.deepEqual((await readdir(folder)).sort(), [link, name]);
    assert.equal("removed" in made && made.removed, 1);
    const manifest = await verify(join(folder, name));
    assert.deepEqual([manifest.isEncrypted, manifest.authenticity.kind], [true, "authentic"]);
    assert.equal((await makeScheduledBackup(second, { env: {}, loadStore })).kind, "current");
    const third = await makeScheduledBackup(
      { ...job, now: NOW + 4 * DAY_MS },
      { env: {}, loadStore },
    );
    assert.equal("removed" in third && third.removed, 1);
    const left = (await readdir(job.dataDir)).filter((entry) => /draft|scratch/.test(entry));
    assert.deepEqual(left, []);
  },
);

test("the schedule encrypts what goes to a bucket", async (t) => {
  const s3 = await serveS3(t);
  const place = await createPlace(t, "SQLite");
  const { job, nameAt, verify } = await createJob(place, `s3://${S3_BUCKET}/of/ada`);
  const made = await makeScheduledBackup(job, { env: s3.env, loadStore });
  assert.equal(made.kind, "made", JSON.stringify(made));
  const copy = join(place.folder, "copy.backup.age");
  const stored = await s3.read(`of/ada/${nameAt(NOW, true)}`);
  await writeFile(copy, Buffer.from(await stored.arrayBuffer()));
  assert.equal((await verify(copy)).isEncrypted, true);
  assert.equal((await makeScheduledBackup(job, { env: s3.env, loadStore })).kind, "current");
});

test("nothing readable lies where an encrypted backup goes, also while it is verified", async (t) => {
  const place = await createPlace(t, "SQLite");
  const { database } = await place.open();
  const { recipient } = await createAgeKeys();
  const path = join(place.folder, "to", "one.backup.age");
  const scratchFolder = join(place.folder, "scratch");
  await mkdir(dirname(path));
  await mkdir(scratchFolder);
  const seen: string[][] = [];
  const examiner: typeof SYNC_STORE.examiner = {
    ...SYNC_STORE.examiner,
    async examine(contents, statement) {
      seen.push(await readdir(dirname(path)), await readdir(scratchFolder));
      for (const name of seen[0] ?? []) {
        const bytes = await readFile(join(dirname(path), name), "latin1");
        assert.ok(bytes.startsWith(MAGIC));
      }
      return SYNC_STORE.examiner.examine(contents, statement);
    },
  };
  const options = { product: "1.0.0", now: NOW, instanceKey: null, key: BACKUP_KEY };
  const encryption = { recipients: [recipient], scratchFolder };
  await createBackup(database, path, examiner, options, encryption);
  assert.deepEqual(
    seen.map((names) => names.map((name) => name.replaceAll(/[0-9a-f]{12}/g, "X"))),
    [["one.backup.age.X.partial"], ["one.backup.age.X.partial.X.scratch"]],
  );
  assert.deepEqual(await readdir(scratchFolder), []);
  await assert.rejects(
    verifyBackup(path, SYNC_STORE.examiner, findBackupKey),
    (error: Error) => error.name === "BackupEncryptedError",
  );
});
