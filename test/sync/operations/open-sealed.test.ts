/** What the operator and the owner of a sealed instance have of it. */
import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  createAccountKeys,
  createDataKey,
  rotateAccountKeys,
} from "../../../src/client/encryption/account-keys.ts";
import { createKeyEntity, rotateKeyEntity } from "../../../src/client/encryption/key-entity.ts";
import { toRecoveryKey } from "../../../src/client/encryption/recovery-key.ts";
import { createSealer } from "../../../src/client/encryption/sealer.ts";
import { KEY_ENTITY_ID } from "../../../src/contract/sync/operation-limits.ts";
import type { Operation, Revision } from "../../../src/contract/sync/operation.ts";
import { parseOperation } from "../../../src/rules/sync/operation-text.ts";
import { buildOperation, type OperationContent } from "../../../src/rules/sync/operation.ts";
import { createAgeKeys } from "../../fixtures/age-keys.ts";
import { createSealedOperation } from "../../fixtures/former-sealed-operation.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
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
function createSealedAccount() {
  const old = createAccountKeys(createDataKey());
  const keys = rotateAccountKeys(old, createDataKey());
  let sequence = 0;
  const next = (): Revision => ({ deviceId: "phone", sequence: ++sequence });
  const seal = (by: typeof keys, content: Omit<OperationContent, "revision">) => {
    const operation = buildOperation({ ...content, revision: next() });
    return createSealer(by).seal(parseOperation(JSON.stringify(operation)));
  };
  const [monday, tuesday] = CLEAR.map(({ entityId }) => entityId) as [string, string];
  const texts = [
    createKeyEntity(old, next()),
    seal(old, {
      kind: "create",
      ...CLEAR[0],
      entityId: monday,
      payload: { mood: "sad", weather: "hail" },
    }),
    seal(old, { kind: "create", entityId: "diary/never", payload: { mood: "gone" } }),
    seal(old, { kind: "delete", entityId: "diary/never" }),
    rotateKeyEntity(old, keys, next()),
    seal(keys, { kind: "patch", entityId: monday, payload: { mood: "elated" } }),
    seal(keys, { kind: "create", entityId: tuesday, payload: { mood: "calm" } }),
  ];
  return {
    operations: texts.map((text) => JSON.parse(text) as Operation),
    recoveryKey: toRecoveryKey(keys.dataKey),
    replacedKey: toRecoveryKey(old.dataKey),
  };
}

/** `forge` makes operations that the account did not write. */
async function createSealedInstance(
  t: TestContext,
  forge: (operations: readonly Operation[]) => readonly Operation[] = () => [],
) {
  const place = await createPlace(t, "SQLite");
  const account = createSealedAccount();
  const { identity, recipient } = await createAgeKeys();
  const instanceKeyFile = join(place.dataDir, "instance.key");
  const section = { store: place.store, instanceKeyFile };
  const store = await openServiceStore(SYNC_STORE, section, place.dataDir);
  await addSyncAccount(store, store.instanceKey, { username: "ada", password: "correct horse" });
  await pushTo(store, [...account.operations, ...forge(account.operations)]);
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
  const open = (file: string, options = "", key = account.recoveryKey) =>
    run(`open ${at(file)} --recovery-key-stdin${options}`, `${key}\n`);
  assert.equal((await run(`export ${at("sealed.json")}`)).code, 0);
  return { ...account, folder: place.folder, at, run, open };
}

type SealedField = { value: string; revision: Revision };
interface SealedExport {
  entities: {
    entityId: string;
    payload: Record<string, SealedField>;
    metadata: Record<string, SealedField>;
  }[];
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
  assert.equal(entities.length, 3);
  for (const { payload, metadata } of entities) {
    for (const { value, revision } of Object.values({ ...payload, ...metadata })) {
      assert.match(value, /^1\.[\w-]{8}\.[\w-]{54,}$/);
      assert.equal(revision.deviceId, "phone");
    }
  }
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
  const find = (fields: number) =>
    sealed.entities.find(
      ({ entityId, payload }) =>
        entityId !== KEY_ENTITY_ID && Object.keys(payload).length === fields,
    );
  const [monday, tuesday] = [find(2), find(1)];
  assert.ok(monday !== undefined && tuesday !== undefined);
  const mood = Object.values(monday.payload).find(({ revision }) => revision.sequence > 5);
  assert.ok(mood !== undefined);
  // The value of another time, and an entity without what vouches for it.
  mood.revision.sequence--;
  tuesday.metadata = {};
  const clear = { entityId: "note/1", payload: { text: "in the clear" }, metadata: {} };
  const entities = [...sealed.entities, clear];
  await writeFile(at("changed.json"), JSON.stringify({ ...sealed, entities }));

  const result = await open("changed.json");
  assert.equal(result.code, 1);
  const [{ payload, ...rest }] = CLEAR as [(typeof CLEAR)[0]];
  const { weather } = payload;
  assert.deepEqual(sortedEntities(result.stdout), [{ ...rest, payload: { weather } }]);
  assert.match(result.stderr, /^diary\/monday, field [\w-]{22}: was damaged, changed or moved$/m);
  assert.match(result.stderr, /^sealed\/[\w-]{43}: its creation or deletion cannot be verified$/m);
  assert.match(result.stderr, /^note\/1: was never sealed$/m);
  assert.match(result.stderr, /^Wrote 1 entity to standard output, without 1 \S+, 1 \S+, 1 \S+,/m);
  const report = await open("changed.json", ` --out ${at("rest.json")} --json`);
  assert.equal(report.code, 1);
  const { unreadable } = JSON.parse(report.stdout) as { unreadable: { reason: string }[] };
  assert.deepEqual(unreadable.map(({ reason }) => reason).sort(), [
    "damaged",
    "lifecycle",
    "not-sealed",
  ]);
});

test("a forged deletion is noticed in a backup, and that of the keys never believed", async (t) => {
  const { at, run, open } = await createSealedInstance(t, (operations) =>
    [KEY_ENTITY_ID, operations.at(-1)?.document.entityId ?? ""].map((entityId, index) =>
      createSealedOperation({ kind: "delete", entityId, sequence: 100 + index, metadata: {} }),
    ),
  );
  const exported = await open("sealed.json");
  assert.deepEqual(sortedEntities(exported.stdout), [CLEAR[0]]);
  await run(`backup ${at("sealed.backup")}`);
  const opened = await open("sealed.backup", ` --identity ${at("identity.txt")}`);
  assert.equal(opened.code, 1);
  assert.deepEqual(sortedEntities(opened.stdout), [CLEAR[0]]);
  assert.match(opened.stderr, /^sealed\/[\w-]{43}: its creation or deletion cannot be verified$/m);
  assert.match(opened.stderr, /without 1 lifecycle, listed above/);
});

test("a backup opens also after a session without a key has written over the key entity", async (t) => {
  const { at, run, open } = await createSealedInstance(t, (operations) =>
    operations
      .filter(({ document }) => document.entityId === KEY_ENTITY_ID)
      .map(({ document, changedFields }, index) =>
        createSealedOperation({
          kind: "patch",
          entityId: KEY_ENTITY_ID,
          sequence: 100 + index,
          payload: Object.fromEntries(
            changedFields.map((name) => [name, flipTag(String(document.payload?.[name]))]),
          ),
        }),
      ),
  );
  assert.equal((await open("sealed.json")).code, 1);
  await run(`backup ${at("sealed.backup")}`);
  const opened = await open("sealed.backup", ` --identity ${at("identity.txt")}`);
  assert.equal(opened.code, 0, opened.stderr);
  assert.deepEqual(sortedEntities(opened.stdout), CLEAR);
});

/** The last four characters are in the tag. */
function flipTag(value: string): string {
  return value.slice(0, -4) + (value.endsWith("AAAA") ? "BBBB" : "AAAA");
}

test("a key or a file that does not fit is a sentence that says what to do", async (t) => {
  const { at, folder, run, open, recoveryKey, replacedKey } = await createSealedInstance(t);
  const file = at("sealed.json");
  const clear = { schemaVersion: 1, exportedAt: "2026-01-31T00:00:00.000Z", entities: CLEAR };
  await writeFile(at("clear.json"), JSON.stringify(clear));
  await writeFile(at("damaged.json"), (await readFile(file, "utf8")).slice(0, -10));
  const lost = JSON.parse(await readFile(file, "utf8")) as SealedExport;
  const entities = lost.entities.filter(({ entityId }) => entityId !== KEY_ENTITY_ID);
  await writeFile(at("lost.json"), JSON.stringify({ ...lost, entities }));
  const other = toRecoveryKey(createDataKey());
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
    [await open("lost.json"), /the account's keys is missing.+: use another export or backup/],
    [await open("none.json"), /There is no file .+: name an export or a backup/],
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
