/** What the operator and the owner of a sealed instance have of it. */
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { toRecoveryKey } from "../../../src/client/encryption/recovery-key.ts";
import type { DataKey } from "../../../src/client/encryption/data-key.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { AccountKey } from "../../../src/contract/sync/schemas.ts";
import { readKeyProof } from "../../../src/sync/keys/key-proof.ts";
import { createAgeKeys } from "../../fixtures/age-keys.ts";
import { countedDataKey } from "../../fixtures/data-keys.ts";
import { createSealedAccount, keyHeaderOf } from "../../fixtures/sealed-account.ts";
import { createOperation, type OperationOptions } from "../../fixtures/sync-operation.ts";
import { runAtTerminal, ENTER } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { addSyncAccount } from "../add-account.ts";
import { openServiceStore } from "../../../src/identity/open-service-store.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";
import { pushTo } from "./device.ts";
import { createPlace } from "./on-both-stores.ts";

const CLEAR = [
  {
    entityId: "diary/monday",
    payload: { mood: "elated", weather: "hail" },
    metadata: { author: "zebra" },
  },
  { entityId: "diary/tuesday", payload: { mood: "calm" }, metadata: {} },
];

/** An account that replaced its key, with one deleted entity. */
function createDiary() {
  const account = createSealedAccount();
  let sequence = 0;
  const seal = (content: OperationOptions) => account.seal({ ...content, sequence: ++sequence });
  const [monday, tuesday] = CLEAR.map(({ entityId }) => entityId) as [string, string];
  const former = [
    seal({ ...CLEAR[0], entityId: monday, payload: { mood: "sad", weather: "hail" } }),
    seal({ entityId: "diary/never", payload: { mood: "gone" } }),
    seal({ kind: "delete", entityId: "diary/never" }),
  ];
  account.rotate();
  const current = [
    seal({ kind: "patch", entityId: monday, payload: { mood: "elated" } }),
    seal({ entityId: tuesday, payload: { mood: "calm" } }),
  ];
  const [replaced, key] = account.keys as readonly DataKey[] as [DataKey, DataKey];
  return {
    account,
    operations: [...former, ...current],
    header: keyHeaderOf(key),
    recoveryKey: toRecoveryKey(key.bytes),
    replacedKey: toRecoveryKey(replaced.bytes),
  };
}

/** `forge` makes operations that the account did not write. */
async function createSealedInstance(
  t: TestContext,
  forge: (operations: readonly Operation[]) => readonly Operation[] = () => [],
) {
  const place = await createPlace(t, "SQLite");
  const diary = createDiary();
  const { identity, recipient } = await createAgeKeys();
  const instanceKeyFile = join(place.dataDir, "instance.key");
  const section = { store: place.store, instanceKeyFile };
  const store = await openServiceStore(SYNC_STORE, section, place.dataDir);
  await addSyncAccount(store, store.instanceKey, { username: "ada", password: "correct horse" });
  const { account, header, operations } = diary;
  const [first] = account.keys;
  await store.keys.add(account.records[0] as AccountKey, null);
  await store.keys.add(account.records[1] as AccountKey, readKeyProof(keyHeaderOf(first)));
  await pushTo(store, operations, Date.now, "sealed", header);
  const forged = forge(operations);
  if (forged.length > 0) await pushTo(store, forged, Date.now, "open");
  await store.close();
  const at = (name: string) => join(place.folder, name);
  const sync = { ...section, profile: "sealed" };
  const configuration = {
    dataDir: place.dataDir,
    sync: { ...sync, backup: { encryptTo: [recipient] } },
  };
  await writeFile(at("trellis.config.json"), JSON.stringify(configuration));
  await writeFile(at("identity.txt"), `${identity}\n`, { mode: 0o600 });
  const run = (words: string, input = "") =>
    runInside(place.folder, ["sync", ...words.split(" ")], { input });
  const open = (file: string, options = "", key = diary.recoveryKey) =>
    run(`open ${at(file)} --recovery-key-stdin${options}`, `${key}\n`);
  assert.equal((await run(`export ${at("sealed.json")}`)).code, 0);
  return { ...diary, folder: place.folder, at, run, open };
}

interface SealedExport {
  readonly keys: AccountKey[];
  readonly entities: { entityId: string; operations: Operation[] }[];
}

function sortedEntities(text: string): unknown {
  const { entities } = JSON.parse(text) as { entities: { entityId: string }[] };
  return entities.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1));
}

test("an export and an encrypted backup of sealed data open with the recovery key alone", async (t) => {
  const { at, run, open } = await createSealedInstance(t);
  const sealed = await readFile(at("sealed.json"), "utf8");
  assert.doesNotMatch(sealed, /diary|mood|elated|author|zebra/);
  const { entities } = JSON.parse(sealed) as SealedExport;
  assert.deepEqual(
    entities.map(({ operations }) => operations.length).toSorted(),
    [1, 2],
    "what was deleted is not in it",
  );
  const printed = await open("sealed.json");
  assert.deepEqual([printed.code, printed.stderr], [0, ""]);
  assert.deepEqual(sortedEntities(printed.stdout), CLEAR);

  const backup = await run(`backup ${at("sealed.backup")}`);
  assert.match(backup.stdout, /^ +Data +sealed by devices: .+\n.*[^]+^ +Encrypted +with age/m);
  assert.match((await open("sealed.backup")).stderr, /encrypted with age: name .+ --identity FILE/);
  const withIdentity = ` --identity ${at("identity.txt")} --out ${at("clear.json")}`;
  const written = await open("sealed.backup", withIdentity);
  assert.equal(written.stdout, `Wrote 2 entities to ${at("clear.json")}\n`);
  assert.deepEqual(sortedEntities(await readFile(at("clear.json"), "utf8")), CLEAR);
  assert.equal((await stat(at("clear.json"))).mode & 0o777, 0o600);
  assert.match((await open("sealed.backup", withIdentity)).stderr, /already a file/);

  const status = await run("status");
  assert.match(status.stdout, /^Data +sealed: this server cannot read the data$/m);
  // The keys are no entity, here as in the export and in the backup.
  for (const { stdout } of [status, backup])
    assert.match(stdout, /^ *Entities +2 live, 1 deleted/m);
  const again = await run(`export ${at("again.json")}`);
  assert.match(again.stdout, /^Wrote 2 entities to .+\nThey are sealed: `trellis sync open` /);
  const { isSealed, profileError } = await readStatus(run);
  assert.deepEqual([isSealed, profileError], [true, null]);
  const restored = await run(
    `restore ${at("sealed.backup")} --identity ${at("identity.txt")} --yes`,
  );
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /^The data is sealed.+ enter the former one .+ replace it again /m);
});

test("a profile that is not that of the data is told, and nothing is called sealed that is not", async (t) => {
  const clear = createOperation({ sequence: 20, entityId: "note/1", payload: {} });
  const { at, run } = await createSealedInstance(t, () => [clear]);
  const status = await run("status");
  assert.doesNotMatch(status.stdout, /cannot read the data/);
  assert.match(status.stdout, /^Profile +The profile is "sealed", but .+ in clear text: 1: set /m);
  assert.equal((await readStatus(run)).isSealed, false);
  assert.doesNotMatch((await run(`export ${at("mixed.json")}`)).stdout, /sealed:/);
  assert.doesNotMatch((await run(`backup ${at("mixed.backup")}`)).stdout, /sealed by devices/);
});

async function readStatus(run: (words: string) => Promise<{ readonly stdout: string }>) {
  const { stdout } = await run("status --json");
  return JSON.parse(stdout) as { isSealed: boolean; profileError: string | null };
}

test("what does not open is listed with its reason, and the rest is written", async (t) => {
  const { at, open } = await createSealedInstance(t);
  const sealed = JSON.parse(await readFile(at("sealed.json"), "utf8")) as SealedExport;
  const find = (count: number) =>
    sealed.entities.find(({ operations }) => operations.length === count);
  const [monday, tuesday] = [find(2), find(1)];
  assert.ok(monday !== undefined && tuesday !== undefined);
  const [create, patch] = monday.operations;
  assert.ok(create !== undefined && patch !== undefined);
  const clear = { entityId: "note/1", payload: { text: "in the clear" }, metadata: {} };
  const stranger = createSealedAccount(90).seal({ sequence: 9, entityId: "diary/monday" });
  const foreign = { ...stranger, document: { ...stranger.document, entityId: monday.entityId } };
  const entities = [
    // The operation of another entity, and one under the key of another account.
    { ...monday, operations: [create, { ...patch, kind: "restore" }, foreign] },
    { ...tuesday, operations: tuesday.operations.map((one) => ({ ...one, kind: "restore" })) },
    clear,
  ];
  await writeFile(at("changed.json"), JSON.stringify({ ...sealed, entities }));

  const result = await open("changed.json");
  assert.equal(result.code, 1);
  const [{ metadata }] = CLEAR as [(typeof CLEAR)[0]];
  const payload = { mood: "sad", weather: "hail" };
  assert.deepEqual(sortedEntities(result.stdout), [
    { entityId: "diary/monday", payload, metadata },
  ]);
  const lines = result.stderr.split("\n");
  assert.ok(lines.includes("diary/monday, operation/phone/4: was damaged, changed or moved"));
  assert.match(result.stderr, /^diary\/monday, operation\/phone\/9: is sealed with a key that /m);
  assert.match(result.stderr, /^sealed\/[\w-]{43}, operation\/phone\/5: was damaged, changed /m);
  assert.match(result.stderr, /^note\/1: was never sealed$/m);
  assert.match(
    result.stderr,
    /^Wrote 1 entity to standard output, without 2 damaged, 1 unknown-key, 1 not-sealed, /m,
  );
  const report = await open("changed.json", ` --out ${at("rest.json")} --json`);
  assert.equal(report.code, 1);
  const { unreadable } = JSON.parse(report.stdout) as { unreadable: { reason: string }[] };
  const reasons = ["damaged", "damaged", "not-sealed", "unknown-key"];
  assert.deepEqual(unreadable.map(({ reason }) => reason).sort(), reasons);
});

test("a backup opens to what the account wrote, whatever outranks it on the server", async (t) => {
  const forge = (operations: readonly Operation[]) =>
    operations.slice(-1).map((operation) => ({
      ...operation,
      kind: "delete" as const,
      operationId: "operation/thief/1000",
      revision: { deviceId: "thief", sequence: 1000 },
      document: { schemaVersion: 1 as const, entityId: operation.document.entityId, deleted: true },
      changedFields: [],
    }));
  const { at, run, open } = await createSealedInstance(t, forge);
  const exported = await open("sealed.json");
  assert.deepEqual(sortedEntities(exported.stdout), [CLEAR[0]], "the server took it for deleted");
  await run(`backup ${at("sealed.backup")}`);
  const opened = await open("sealed.backup", ` --identity ${at("identity.txt")}`);
  assert.equal(opened.code, 1);
  assert.deepEqual(sortedEntities(opened.stdout), CLEAR);
  assert.match(opened.stderr, /^diary\/tuesday: was never sealed$/m);
});

test("a key or a file that does not fit is a sentence that says what to do", async (t) => {
  const { at, folder, run, open, recoveryKey, replacedKey } = await createSealedInstance(t);
  const file = at("sealed.json");
  const clear = { schemaVersion: 1, exportedAt: "2026-01-31T00:00:00.000Z", entities: CLEAR };
  await writeFile(at("clear.json"), JSON.stringify(clear));
  await writeFile(at("damaged.json"), (await readFile(file, "utf8")).slice(0, -10));
  const sealed = JSON.parse(await readFile(file, "utf8")) as SealedExport;
  const [first, second] = sealed.keys as [AccountKey, AccountKey];
  const forged = [first, { ...second, write: first.write }];
  await writeFile(at("forged.json"), JSON.stringify({ ...sealed, keys: forged }));
  const other = toRecoveryKey(countedDataKey(99).bytes);
  const mistyped = `${recoveryKey.slice(0, -1)}${recoveryKey.endsWith("0") ? "1" : "0"}`;
  for (const [ending, message] of [
    [await open("sealed.json", "", other), /does not open the file: use the one of this account/],
    [
      await open("sealed.json", "", replacedKey),
      /was replaced by a newer one .+: use the newer one/,
    ],
    [await open("sealed.json", "", mistyped), /has a typing error: compare/],
    [
      await open("damaged.json"),
      /is neither an export nor a backup .+, or it is damaged: copy it again/,
    ],
    [await open("clear.json"), /is not sealed, so there is nothing to open/],
    [await open("forged.json"), /list of the account's keys was damaged or changed.+: use another/],
    [await open("none.json"), /There is no file .+: name an export or a backup/],
    [await run(`open ${recoveryKey} --recovery-key-stdin`), /There is no file of this name: /],
  ] as const) {
    assert.deepEqual([ending.code, ending.stdout], [1, ""], ending.stderr);
    assert.match(ending.stderr, message);
    assert.equal(ending.stderr.trim().split("\n").length, 1);
    assert.doesNotMatch(ending.stderr, new RegExp(recoveryKey.slice(0, 9)));
  }
  const unasked = await run(`open ${file}`);
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /ask for the recovery key: pass it with --recovery-key-stdin/);
  assert.equal((await open("sealed.json", " --json")).code, 2);
  assert.equal((await run("open - --recovery-key-stdin", recoveryKey)).code, 2);
  const spaced = recoveryKey.replaceAll("-", " ");
  for (const words of [recoveryKey, spaced, `-${recoveryKey}`, `--recovery-key ${recoveryKey}`]) {
    const refused = await run(`open ${file} ${words}`);
    assert.deepEqual([refused.code, refused.stdout], [2, ""]);
    assert.match(refused.stderr, /--recovery-key-stdin/);
    for (const group of recoveryKey.split("-")) assert.ok(!refused.stderr.includes(group));
  }

  const typed = await runAtTerminal(
    folder,
    ["sync", "open", file, "--out", at("typed.json")],
    [
      ["Recovery key", `${mistyped}${ENTER}`],
      ["typing error", `\u0015${recoveryKey.toLowerCase().replaceAll("-", " ")}${ENTER}`],
    ],
  );
  assert.equal(typed.code, 0, typed.stderr);
  assert.ok(!typed.stdout.toUpperCase().includes(recoveryKey.slice(0, 9)));
  assert.deepEqual(sortedEntities(await readFile(at("typed.json"), "utf8")), CLEAR);
});
