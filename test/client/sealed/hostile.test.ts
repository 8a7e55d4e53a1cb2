/** A server that changes what it keeps: every case is noticed, nothing false is shown, and nothing is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KEY_ENTITY_ID } from "../../../src/contract/sync/operation-limits.ts";
import { buildOperation, operationIdOf } from "../../../src/rules/sync/operation.ts";
import type { Operation, UnreadableOperation } from "../../../src/client/index.ts";
import { createTestEncryption, failureOf, rotatedKey, useKey } from "../sync/sealed-device.ts";
import { shown, stored, syncNow } from "../sync/world.ts";
import { BROKEN_SEALINGS } from "./broken-sealings.ts";
import { createScene, type Attack, type Scene } from "./hostile-server.ts";

/** What the victim had, with the edit that waits. */
const KNOWN = { "note/1": { a: 1, b: 9 }, "note/2": { a: 6 } };
const WHOLE = { "note/1": { a: 2, b: 9 }, "note/3": { a: 7 }, "note/4": { c: 4, d: 5 } };

interface HostileCase {
  /** What the server shows in place of what is new. */
  readonly attack: (scene: Ops) => readonly object[];
  readonly listed: readonly UnreadableOperation[];
  /** Whether it shows nothing of what the device has, either. */
  readonly isSilent?: boolean;
  /** By default what the victim had. */
  readonly shows?: object;
  /** Why the round fails, where it must. */
  readonly failure?: string;
}

/** The operations of the account. */
interface Ops {
  readonly log: readonly Operation[];
  readonly createKey: Operation;
  readonly rotateKey: Operation;
  readonly create1: Operation;
  readonly create2: Operation;
  readonly patch2: Operation;
  readonly create3: Operation;
  readonly remove3: Operation;
  /** These the victim lacks. */
  readonly patch1: Operation;
  readonly create4: Operation;
  readonly remove2: Operation;
  readonly restore3: Operation;
}

function toOps({ log }: Scene): Ops {
  const names = [
    "createKey",
    "create1",
    "create2",
    "patch2",
    "create3",
    "remove3",
    "rotateKey",
  ] as const;
  const later = ["patch1", "create4", "remove2", "restore3"] as const;
  const byName = [...names, ...later].map((name, index) => [name, log[index]] as const);
  assert.equal(log.length, byName.length);
  return { log, ...(Object.fromEntries(byName) as unknown as Omit<Ops, "log">) };
}

/** Far after all others, so that it would win every merge. */
const LATE = { deviceId: "zzz", sequence: 900 };
const atLate = (operation: Operation): Operation => ({
  ...operation,
  operationId: operationIdOf(LATE),
  revision: LATE,
});

/** Builds the operation again with other values. */
function withFields(
  { kind, revision, document }: Operation,
  change: (payload: Record<string, unknown>, metadata: Record<string, unknown>) => void,
): Operation {
  const { schemaVersion: _version, entityId, deleted: _deleted, payload, ...metadata } = document;
  const changed = { payload: { ...payload }, metadata: { ...metadata } };
  change(changed.payload, changed.metadata);
  return buildOperation({ kind, revision, entityId, ...changed });
}

const withValues = (operation: Operation, change: (value: string) => unknown) =>
  withFields(operation, (payload) => {
    for (const [name, value] of Object.entries(payload)) payload[name] = change(String(value));
  });

const lifecycleOf = ({ document, changedMetadataFields: [name = ""] }: Operation) =>
  (document as unknown as Record<string, unknown>)[name];

const flip = (value: string) =>
  `${value.slice(0, -6)}${value.at(-6) === "A" ? "B" : "A"}${value.slice(-5)}`;

const swapped = <T>([a, b]: readonly T[]) => [b, a];

const DAMAGED = { entityId: "note/1", field: "a", reason: "damaged" } as const;
const NOT_SEALED = { entityId: "note/1", field: "a", reason: "not-sealed" } as const;
const UNKNOWN_KEY = { entityId: "note/1", field: "a", reason: "unknown-key" } as const;
const LIFECYCLE = { entityId: "note/1", reason: "lifecycle" } as const;

const CASES: Readonly<Record<string, HostileCase>> = {
  "flips a bit of a value": {
    attack: ({ patch1 }) => [withValues(patch1, flip)],
    listed: [DAMAGED],
  },
  "lets a damaged value replace a good one": {
    attack: ({ patch2 }) => [atLate(patch2)],
    listed: [{ entityId: "note/2", field: "a", reason: "damaged" }],
  },
  "truncates a value": {
    attack: ({ patch1 }) => [withValues(patch1, (value) => value.slice(0, -3))],
    listed: [DAMAGED],
  },
  "cuts a value down to less than a tag": {
    attack: ({ patch1 }) => [withValues(patch1, (value) => value.slice(0, 40))],
    listed: [NOT_SEALED],
  },
  "invents the id of a key": {
    attack: ({ patch1 }) => [
      withValues(patch1, (value) => value.replace(/^1\.[^.]{8}/, "1.AAAAAAAA")),
    ],
    listed: [UNKNOWN_KEY],
  },
  "swaps the values of two fields": {
    attack: ({ create4 }) => [
      withFields(create4, (payload) => {
        const names = Object.keys(payload);
        const values = swapped(Object.values(payload));
        for (const [index, name] of names.entries()) payload[name] = values[index];
      }),
    ],
    listed: [{ reason: "damaged" }],
  },
  "moves a value from the payload to the metadata": {
    attack: ({ patch1 }) => [
      withFields(patch1, (payload, metadata) => {
        for (const [name, value] of Object.entries(payload)) {
          metadata[name] = value;
          delete payload[name];
        }
      }),
    ],
    listed: [{ entityId: "note/1", field: "a", reason: "damaged" }],
  },
  "shows a change of one entity as one of another": {
    attack: ({ patch1, create2 }) => [
      { ...patch1, document: { ...patch1.document, entityId: create2.document.entityId } },
    ],
    listed: [{ entityId: "note/2", reason: "damaged" }],
  },
  "shows the creation of one entity as that of another": {
    attack: ({ create4, create2 }) => [
      { ...create4, document: { ...create4.document, entityId: create2.document.entityId } },
    ],
    listed: [{ entityId: "note/2", reason: "lifecycle" }],
  },
  "shows an old operation once more": {
    attack: ({ create1, create2 }) => [create1, create2],
    listed: [],
  },
  "shows an old value under a new revision": {
    attack: ({ create1, patch1 }) => [
      patch1,
      atLate(
        withFields(patch1, (payload) => {
          for (const name of Object.keys(payload)) payload[name] = create1.document.payload?.[name];
        }),
      ),
    ],
    shows: { ...KNOWN, "note/1": { a: 2, b: 9 } },
    listed: [DAMAGED],
  },
  "shows a change under an older revision": {
    attack: ({ patch1, create1 }) =>
      [
        {
          ...patch1,
          operationId: "operation/zzz/1",
          revision: { ...create1.revision, deviceId: "zzz" },
        },
      ].map((one) => ({ ...one, operationId: operationIdOf(one.revision) })),
    listed: [DAMAGED],
  },
  "shows an old creation under a new revision": {
    attack: ({ create1 }) => [atLate(create1)],
    listed: [LIFECYCLE],
  },
  "forges a deletion": {
    attack: ({ create1 }) => [
      buildOperation({ kind: "delete", revision: LATE, entityId: create1.document.entityId }),
    ],
    listed: [LIFECYCLE],
  },
  "shows the deletion of one entity as that of another": {
    attack: ({ create1, remove2 }) => [
      { ...remove2, document: { ...remove2.document, entityId: create1.document.entityId } },
    ],
    listed: [LIFECYCLE],
  },
  "deletes with the lifecycle of a creation": {
    attack: ({ create2, remove2 }) =>
      [
        withFields({ ...remove2, revision: create2.revision }, (_payload, metadata) => {
          for (const name of Object.keys(metadata)) metadata[name] = lifecycleOf(create2);
        }),
      ].map((operation) => ({ ...operation, operationId: "operation/zzz/900", revision: LATE })),
    listed: [{ entityId: "note/2", reason: "lifecycle" }],
  },
  "revives with the creation from before the deletion": {
    attack: ({ create3 }) => [{ ...atLate(create3), kind: "restore" }],
    listed: [{ entityId: "note/3", reason: "lifecycle" }],
  },
  "makes a revival of a deletion": {
    attack: ({ remove3 }) => [
      atLate({
        ...remove3,
        kind: "restore",
        document: { ...remove3.document, deleted: false, payload: {} },
      }),
    ],
    listed: [{ entityId: "note/3", reason: "lifecycle" }],
  },
  "makes a creation of a change": {
    attack: ({ patch1 }) => [{ ...patch1, kind: "create" }],
    listed: [LIFECYCLE],
  },
  "makes a change of a deletion": {
    attack: ({ remove2 }) => [
      { ...remove2, kind: "patch", document: { ...remove2.document, deleted: false, payload: {} } },
    ],
    listed: [{ entityId: "note/2", reason: "lifecycle" }],
  },
  "shows again, without one of its fields, what the device has": {
    attack: ({ create1, create2 }) => [
      withFields(create1, (payload) => void delete payload[Object.keys(payload)[0] ?? ""]),
      withFields(create1, (payload) => void delete payload[Object.keys(payload)[1] ?? ""]),
      withFields({ ...create2, kind: "patch" }, (_payload, metadata) => {
        for (const name of Object.keys(metadata)) delete metadata[name];
      }),
    ],
    listed: [],
  },
  "shows a value that was never sealed": {
    attack: ({ patch1 }) => [withValues(patch1, () => "hello")],
    listed: [NOT_SEALED],
  },
  "shows odd values": {
    attack: ({ patch1 }) =>
      [0, null, {}, [], "", "1..", true].map((value, index) => {
        const revision = { deviceId: "zzz", sequence: 900 + index };
        const odd = withValues(patch1, () => value);
        return { ...odd, operationId: operationIdOf(revision), revision };
      }),
    listed: Array.from({ length: 7 }, () => NOT_SEALED),
  },
  "shows a huge value": {
    attack: ({ patch1 }) => [withValues(patch1, (value) => value + "A".repeat(140_000))],
    listed: [DAMAGED],
  },
  "shows a value that is larger than any": {
    attack: ({ patch1 }) => [withValues(patch1, (value) => value + "A".repeat(400_000))],
    listed: [],
    failure: "unreadable-page",
  },
  "shows an entity in the clear": {
    attack: () => [
      buildOperation({ kind: "create", revision: LATE, entityId: "note/9", payload: { a: 9 } }),
    ],
    listed: [{ entityId: "note/9", reason: "not-sealed" }],
  },
  "deletes an entity in the clear": {
    attack: () => [buildOperation({ kind: "delete", revision: LATE, entityId: "note/1" })],
    listed: [{ entityId: "note/1", reason: "not-sealed" }],
  },
  "shows what another account sealed": {
    attack: ({ patch1 }) => {
      const other = createTestEncryption();
      const keys = other.createAccountKeys(other.createDataKey());
      const created = JSON.parse(other.createKeyEntity(keys, LATE)) as Operation;
      const value = Object.values(created.document.payload ?? {})[0];
      return [withValues(patch1, () => value)];
    },
    listed: [UNKNOWN_KEY],
  },
  "shows nothing any more, and says that it has everything": {
    attack: () => [],
    isSilent: true,
    listed: [],
  },
  "shows the key entity of another account": {
    attack: ({ patch1 }) => [createOtherKey(), patch1],
    listed: [],
    failure: "other-key",
  },
  "forges a change of the key entity": {
    attack: ({ createKey, rotateKey, patch1 }) => [
      atLate({ ...createKey, kind: "patch" }),
      {
        ...atLate(rotateKey),
        operationId: "operation/zzz/901",
        revision: { ...LATE, sequence: 901 },
      },
      patch1,
    ],
    shows: { ...KNOWN, "note/1": { a: 2, b: 9 } },
    listed: [],
  },
  "deletes the key entity": {
    attack: ({ patch1 }) => [
      buildOperation({ kind: "delete", revision: LATE, entityId: KEY_ENTITY_ID }),
      patch1,
    ],
    shows: { ...KNOWN, "note/1": { a: 2, b: 9 } },
    listed: [],
  },
  "sets the key entity back to before the rotation": {
    attack: ({ createKey, patch1 }) => [createKey, patch1],
    shows: { ...KNOWN, "note/1": { a: 2, b: 9 } },
    listed: [],
  },
};

function createOtherKey(): Operation {
  const other = createTestEncryption();
  const keys = other.createAccountKeys(other.createDataKey());
  return JSON.parse(other.createKeyEntity(keys, LATE)) as Operation;
}

/** In a recovery the device reads the attacked log from its start. */
async function runCase(scene: Scene, hostile: HostileCase): Promise<void> {
  const { attack, listed, shows = KNOWN, failure, isSilent = false } = hostile;
  const server = scene.serve();
  const victim = await scene.openVictim();
  const ops = toOps(scene);
  const known = scene.log.length - scene.later.length;
  const attacked: Attack = (log) =>
    isSilent ? [] : [...log.slice(0, known), ...attack(ops), ...log.slice(scene.log.length)];
  for (const isReplaced of [false, true]) {
    Object.assign(server, { isReplaced, attack: attacked });
    assert.equal(await failureOf(victim), failure ?? null);
    assert.deepEqual(shown(victim), shows);
    assert.deepEqual(victim.unreadable.list(), listed);
  }
  // What was pushed is its own, or what the phone had written.
  const good = new Map(scene.log.map((operation) => [operation.operationId, operation]));
  const ownOf = (pushed: readonly Operation[]) =>
    pushed.filter(({ revision }) => revision.deviceId === victim.deviceId);
  for (const operation of server.pushed) {
    if (ownOf([operation]).length === 1) continue;
    assert.deepEqual(operation, good.get(operation.operationId), "It pushed what it cannot read");
  }
  Object.assign(server, { isReplaced: true, attack: (log: readonly Operation[]) => log });
  await syncNow(victim);
  await syncNow(victim);
  assert.deepEqual(shown(victim), WHOLE);
  assert.deepEqual([victim.unreadable.list(), victim.status.kind], [[], "up-to-date"]);
  assert.deepEqual(server.log.slice(0, scene.log.length), scene.log);
  assert.equal(server.log.length, scene.log.length + 1);
  await victim.close();
}

test("a device on a hostile server", async (t) => {
  const scene = await createScene(t);
  for (const [name, hostile] of Object.entries(CASES)) {
    await t.test(`shows nothing false and loses nothing when it ${name}`, () =>
      runCase(scene, hostile),
    );
  }
});

/** Which case shows the defect; the others are seen on the wire: `simulation.test.ts`. */
const NOTICED_BY: readonly (readonly [keyof typeof BROKEN_SEALINGS, keyof typeof CASES])[] = [
  ["binds no revision to a value", "shows an old value under a new revision"],
  ["merges before it opens", "lets a damaged value replace a good one"],
  ["believes a lifecycle that nothing vouches for", "forges a deletion"],
];

for (const [defect, name] of NOTICED_BY) {
  test(`a server that ${name} shows that a client ${defect}`, async (t) => {
    const scene = await createScene(t, BROKEN_SEALINGS[defect]);
    const hostile = CASES[name];
    assert.ok(hostile !== undefined);
    await assert.rejects(runCase(scene, hostile), { operator: "deepStrictEqual" });
  });
}

/** What a server shows to a device that has no key yet. */
const SHOWN_KEYS: Readonly<Record<string, (ops: Ops) => readonly Operation[]>> = {
  "the key entity of another account": ({ log }) => [createOtherKey(), ...log.slice(1)],
  "no key entity": ({ log, createKey, rotateKey }) =>
    log.filter((one) => one !== createKey && one !== rotateKey),
  "the key entity from before the rotation": ({ log, rotateKey }) =>
    log.filter((one) => one !== rotateKey),
  "a key entity that is deleted and damaged": ({ log, createKey }) => [
    buildOperation({ kind: "delete", revision: LATE, entityId: KEY_ENTITY_ID }),
    withValues(createKey, flip),
    ...log.slice(1),
  ],
};

test("a new device on a hostile server", async (t) => {
  const scene = await createScene(t);
  for (const [name, show] of Object.entries(SHOWN_KEYS)) {
    await t.test(`takes nothing in and sends nothing when it sees ${name}`, async () => {
      const server = scene.serve();
      const device = await scene.join();
      await stored(device.create("note/8", { a: 8 }));
      server.attack = () => show(toOps(scene));
      const refused = { kind: "refused", reason: "other-key" };
      assert.deepEqual(await device.encryption.useKey(scene.key), refused);
      assert.equal(await failureOf(device), "key-needed");
      assert.deepEqual([shown(device), server.pushed], [{ "note/8": { a: 8 } }, []]);
      server.attack = (log) => log;
      await useKey(device, scene.key);
      await syncNow(device);
      const { "note/1": _edited, ...others } = WHOLE;
      assert.deepEqual(shown(device), { "note/1": { a: 2, b: 1 }, ...others, "note/8": { a: 8 } });
      assert.deepEqual(device.unreadable.list(), []);
    });
  }
});

test("a server that hides a rotation leads no device back, and loses it on none", async (t) => {
  const scene = await createScene(t);
  const { rotateKey } = toOps(scene);
  const server = scene.serve();
  const victim = await scene.openVictim();
  server.attack = (log) => log.filter((one) => one !== rotateKey);
  server.isReplaced = true;
  await syncNow(victim);
  const refused = { kind: "refused", reason: "other-key" };
  assert.deepEqual(await victim.encryption.useKey(scene.oldKey), refused);
  assert.equal(await victim.encryption.showRecoveryKey(), scene.key);
  // It had said that it has the rotation; a server that has nothing gets it back.
  const empty = scene.serve([]);
  empty.isReplaced = true;
  await syncNow(victim);
  const { operationId } = rotateKey;
  assert.deepEqual(
    empty.log.find((one) => one.operationId === operationId),
    rotateKey,
  );
});

test("a device that saw a rotation goes on with the new key when the server has lost it since", async (t) => {
  const scene = await createScene(t);
  const server = scene.serve();
  const [phone, laptop] = [await scene.join(), await scene.join()];
  for (const device of [phone, laptop]) await useKey(device, scene.key);
  await syncNow(laptop);
  const newKey = await rotatedKey(phone);
  const rotation = server.log.at(-1);
  assert.equal(await failureOf(laptop), "key-needed");
  // The server is rolled back, and the phone is gone.
  const rolledBack = scene.serve();
  rolledBack.isReplaced = true;
  await stored(laptop.create("note/8", { a: 8 }));
  await useKey(laptop, newKey);
  await syncNow(laptop);
  assert.deepEqual(shown(laptop)["note/8"], { a: 8 });
  assert.ok(rolledBack.log.some((one) => one.operationId === rotation?.operationId));
  const tablet = await scene.join();
  await useKey(tablet, newKey);
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), shown(laptop));
});

test("of a copied device's two changes with one revision, every device shows the one that the server has", async (t) => {
  const scene = await createScene(t);
  const server = scene.serve();
  const [device, copy] = [await scene.openVictim(), await scene.openVictim()];
  await stored(device.patch("note/1", { color: "first", size: 1 }));
  await stored(copy.patch("note/1", { color: "second" }));
  await syncNow(device);
  await syncNow(copy);
  const first = { a: 2, b: 9, color: "first", size: 1 };
  assert.deepEqual(shown(device)["note/1"], first);
  const reasons = copy.quarantine.list().map(({ reason }) => reason);
  assert.deepEqual(reasons, ["id_reused", "id_reused"]);
  for (const { operationId } of copy.quarantine.list()) await copy.quarantine.discard(operationId);
  assert.deepEqual(shown(copy)["note/1"], first);

  // Both are authentic. A server that has both can show either, and a reader follows it as a whole.
  const other = scene.serve();
  const again = await scene.openVictim();
  await stored(again.patch("note/1", { color: "second" }));
  await syncNow(again);
  const reader = await scene.join();
  await useKey(reader, scene.key);
  for (const [{ log }, note] of [
    [server, first],
    [other, { a: 2, b: 9, color: "second" }],
    [server, first],
  ] as const) {
    Object.assign(other, { isReplaced: true, attack: () => log });
    await syncNow(reader);
    assert.deepEqual(shown(reader)["note/1"], note);
  }
  assert.deepEqual(reader.unreadable.list(), []);
});
