import assert from "node:assert/strict";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import type { BackupTrailer } from "../../../src/backup/format/backup-format.ts";
import { explainFileErrors } from "../../../src/cli/explain-store-errors.ts";
import { openInstanceKey } from "../../../src/identity/instance-key.ts";
import { verifyBackup } from "../../../src/backup/format/open-backup.ts";
import { createBackup } from "../../../src/backup/format/write-backup.ts";
import { SYNC_EXAMINER } from "../../../src/sync/maintenance/backup.ts";
import { expectAuthentication, type VerifyWith } from "../../database/backup-authenticity.ts";
import {
  BACKUP_KEY,
  findBackupKey,
  packBackup,
  readSample,
  type BackupSample,
} from "../../database/backup-sample.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pushTo } from "./device.ts";
import { createPlace, testOnBothStores } from "./on-both-stores.ts";
import { addSyncAccount } from "../add-account.ts";

const OPTIONS = {
  product: "1.0.0",
  now: Date.parse("2026-01-31T12:00:00Z"),
  instanceKey: null,
  key: BACKUP_KEY,
};
const note = (deviceId: string, sequence: number, entity = sequence) =>
  createOperation({
    deviceId,
    sequence,
    entityId: `note/${entity}`,
    payload: { title: `"quoted" \u2028 ${sequence}`, big: 9007199254740991 },
  });

testOnBothStores(
  "a backup beside four writers is of one moment, complete and private",
  async (place) => {
    const [store, beside] = [await place.open(), await place.open()];
    let isOver = false;
    const writers = ["a", "b", "c", "d"].map(async (deviceId, index) => {
      for (let sequence = 1; !isOver; sequence += 5) {
        const operations = [0, 1, 2, 3, 4].map((more) =>
          note(deviceId, sequence + more, (sequence + more) % 40),
        );
        await pushTo(index % 2 === 0 ? store : beside, operations);
        await wait(5);
      }
    });
    for (let round = 0; round < 4; round++) {
      const path = join(place.folder, `${round}.backup`);
      const { counts, headOffset } = await createBackup(
        beside.database,
        path,
        SYNC_EXAMINER,
        OPTIONS,
      );
      // Pushes are atomic: five operations at a time.
      assert.equal(counts.sync_operations % 5, 0);
      assert.equal(counts.sync_operations, headOffset);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    }
    isOver = true;
    await Promise.all(writers);
    const names = (await readdir(place.folder)).sort();
    assert.deepEqual(
      names.filter((name) => name !== "data"),
      ["0.backup", "1.backup", "2.backup", "3.backup"],
    );
    await assert.rejects(
      createBackup(store.database, join(place.folder, "0.backup"), SYNC_EXAMINER, OPTIONS),
      /already a file/,
    );
  },
);

testOnBothStores(
  "the manifest describes the contents, and no session is among them",
  async (place) => {
    const store = await place.open();
    const key = openInstanceKey(join(place.dataDir, "key"));
    await addSyncAccount(store, key, { username: "ada", password: "a long enough password" });
    await store.transaction(({ sessions }) =>
      sessions.open({
        family: "a-family-that-must-not-leave",
        deviceId: "phone",
        counter: 1,
        refreshHash: "a-hash-that-must-not-leave",
        createdAt: 1,
        rotatedAt: 1,
        lastUsedAt: 1,
        idleExpiresAt: 2,
        absoluteExpiresAt: 3,
      }),
    );
    await pushTo(store, [
      note("a", 1),
      note("a", 2),
      createOperation({ kind: "delete", deviceId: "a", sequence: 3, entityId: "note/2" }),
    ]);
    const path = join(place.folder, "one.backup");
    const manifest = await createBackup(store.database, path, SYNC_EXAMINER, OPTIONS);
    const { generation } = await store.operations.head();
    assert.deepEqual(
      {
        ...manifest,
        sha256: manifest.sha256.length,
        fileBytes: 0,
      },
      {
        createdAt: "2026-01-31T12:00:00.000Z",
        product: "1.0.0",
        instanceKey: null,
        generation,
        headOffset: 3,
        counts: {
          sync_log: 1,
          sync_generations: 0,
          sync_marks: 2,
          identity_accounts: 1,
          identity_passkeys: 0,
          sync_entities: 2,
          sync_operations: 3,
          sync_ledger: 3,
          sync_keys: 0,
        },
        entities: { live: 1, deleted: 1, awaiting: 0 },
        username: "ada",
        sha256: 64,
        authenticity: { kind: "authentic" },
        isEncrypted: false,
        isSealed: false,
        fileBytes: 0,
      },
    );
    assert.deepEqual(await verifyBackup(path, SYNC_EXAMINER, findBackupKey), manifest);
    assert.equal(gunzipSync(await readFile(path)).includes("must-not-leave"), false);
  },
);

async function createSample(t: TestContext): Promise<BackupSample> {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  await pushTo(store, [note("a", 1), note("a", 2), note("a", 3), note("b", 4)]);
  const path = join(place.folder, "sample.backup");
  await createBackup(store.database, path, SYNC_EXAMINER, OPTIONS);
  return readSample(path, (file) => verifyBackup(file, SYNC_EXAMINER, findBackupKey));
}

test("a file that is not a complete and sound backup is refused", async (t) => {
  const { bytes, lines, seal, refuses } = await createSample(t);
  await refuses(Buffer.alloc(0), /end is missing|not complete/);
  await refuses(Buffer.from("not gzip"), /not valid gzip/);
  await refuses(gzipSync("not JSON\n"), /not JSON/);
  await refuses(gzipSync("{}\n"), /not a backup of a sync service/);
  await refuses(gzipSync(`${lines.slice(0, -1).join("\n")}\n`), /end is missing/);
  await refuses(gzipSync(lines.join("\n")), /cut off/);
  await refuses(gzipSync(`${[...lines, seal].join("\n")}\n[]\n`), /after its end/);
  for (const length of [1, 9, 20, bytes.length >> 1, bytes.length - 9, bytes.length - 1]) {
    await refuses(bytes.subarray(0, length), /not complete/);
  }
  const [header = "", ...rest] = lines;
  const other = header.replace('"version":3', '"version":4');
  await refuses(
    packBackup([other, ...rest]),
    /has format 4 and was written by version \S+ \(.+\); version .+ reads 2 to 3: restore it with the program/,
  );
  await refuses(packBackup([header.replace("log_offset", "offset"), ...rest]), /tables are not/);
  // Each member is used or shown somewhere, so none may be of another type.
  const hostile = { toString: 1 };
  const members = {
    version: [hostile, null, "2"],
    createdAt: [hostile, null, "yesterday"],
    product: [hostile, null, "x".repeat(101)],
    tables: [hostile, null],
    instanceKey: [hostile, "key", { kdf: "scrypt" }],
  };
  for (const [name, values] of Object.entries(members)) {
    for (const value of values) {
      const changed = JSON.stringify({ ...(JSON.parse(header) as object), [name]: value });
      await refuses(packBackup([changed, ...rest]), new RegExp(`header is not valid: ${name}`));
    }
  }
  const newer = { ...(JSON.parse(header) as object), version: 4, product: hostile };
  await refuses(packBackup([JSON.stringify(newer), ...rest]), /written by an unknown version/);
  const counts = (change: object) => (trailer: BackupTrailer) => ({
    ...trailer,
    counts: { ...trailer.counts, ...change },
  });
  await refuses(
    packBackup(lines, counts({ sync_ledger: 5 })),
    /4 rows of sync_ledger and says it has 5/,
  );
  await refuses(packBackup(lines, counts({ sync_ledger: hostile })), /does not say how many/);
  await refuses(
    packBackup(lines, (trailer) => ({ ...trailer, sha256: "0" })),
    /digest/,
  );
  await refuses(
    packBackup(lines, (trailer) => ({ ...trailer, headOffset: 3 })),
    /another log/,
  );
});

test("a backup that would fill the disk is broken off, and leaves nothing", async (t) => {
  const { folder, lines } = await createSample(t);
  const path = join(folder, "bomb.backup");
  const id = "x".repeat(100_000);
  const rows = Array.from({ length: 100 }, (_, at) => `["sync_ledger","${id}${at}","",1]`);
  const packed = packBackup(lines.toSpliced(-1, 0, ...rows));
  assert.ok(packed.length < 100_000);
  await writeFile(path, packed);
  const verifyWith = (mebibytes: number) =>
    explainFileErrors(() =>
      verifyBackup(path, SYNC_EXAMINER, findBackupKey, {
        readFreeBytes: async () => mebibytes * 1024 ** 2,
      }),
    );
  await assert.rejects(verifyWith(70), /^CommandError: The backup unpacks to .+: 70 MiB are free/);
  // With enough space it is read to its end.
  await assert.rejects(verifyWith(1000), /gone without its digest/);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes("scratch")),
    [],
  );
});

test("a backup that contradicts itself is refused, even with a valid digest", async (t) => {
  const { lines, refuses } = await createSample(t);
  const edit = (table: string, change: (row: unknown[]) => unknown[] | null) => {
    let isChanged = false;
    const edited = lines.flatMap((line) => {
      if (isChanged || !line.startsWith(`["${table}"`)) return [line];
      isChanged = true;
      const row = change(JSON.parse(line) as unknown[]);
      return row === null ? [] : [JSON.stringify(row)];
    });
    return packBackup(edited);
  };
  await refuses(
    edit("sync_operations", () => null),
    /not what its operations|no operation in/,
  );
  await refuses(
    edit("sync_entities", () => null),
    /has no state/,
  );
  await refuses(
    edit("sync_ledger", () => null),
    /ledger/,
  );
  await refuses(
    edit("sync_ledger", ([table, id, , offset]) => [table, id, "a-digest", offset]),
    /as one that is gone/,
  );
  await refuses(
    packBackup(lines.toSpliced(-1, 0, '["sync_ledger","operation/phone/99","",1]')),
    /gone without its digest/,
  );
  // A forged text need not be what the service writes.
  for (const state of ["x", "[]", '[1,"note/1",[],0,0,["title","1",7],[]]']) {
    await refuses(
      edit("sync_entities", ([table, id]) => [table, id, state]),
      /state of an entity cannot be read/,
    );
  }
  for (const body of ["x", "{}", " ".repeat(70_000)]) {
    await refuses(
      edit("sync_operations", ([table, offset, id]) => [table, offset, id, body, 1]),
      /operation of the log cannot be read/,
    );
  }
  await refuses(
    edit("sync_operations", (row) => row.map((value) => dropRevision(value))),
    /operation of the log cannot be read/,
  );
  await refuses(
    edit("sync_log", () => null),
    /exactly one log/,
  );
  for (const [end, mark] of [
    [99, "AAAAAAAAAAA"],
    [-1, "AAAAAAAAAAA"],
    [1, 'A","offset":9'],
  ]) {
    await refuses(
      edit("sync_marks", ([table]) => [table, end, mark]),
      /the end of a push cannot be one/,
    );
  }
  const swap = (from: string, to: string) => (row: unknown[]) =>
    row.map((value) => (typeof value === "string" ? value.replace(from, to) : value));
  await refuses(edit("sync_operations", swap("quoted", "Quoted")), /not what its|ledger/);
  await refuses(edit("sync_entities", swap("quoted", "Quoted")), /not what its operations/);
  await refuses(edit("sync_operations", swap("note/", "other/")), /no operation in the log/);
  await refuses(
    edit("sync_operations", (row) => [row[0], 99, ...row.slice(2)]),
    /beyond its head/,
  );
  await refuses(
    edit("sync_operations", (row) => [row[0], 2, ...row.slice(2)]),
    /contradict/,
  );
  await refuses(
    edit("sync_operations", (row) => row.slice(1)),
    /fits no table/,
  );
  await refuses(
    edit("sync_operations", (row) => [row[0], "1", ...row.slice(2)]),
    /fits no table/,
  );
});

function dropRevision(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/"revision":\{[^}]*\},/, "") : value;
}

test("a backup is authentic, or was changed, or cannot be checked", async (t) => {
  const sample = await createSample(t);
  const path = join(sample.folder, "changed.backup");
  const verify: VerifyWith = (file, findKey) => verifyBackup(file, SYNC_EXAMINER, findKey);
  await expectAuthentication(sample, path, verify, "sync_ledger");
});

test("a flipped bit is detected, or changes nothing that is restored", async (t) => {
  await (await createSample(t)).noticesFlippedBits(60);
});
