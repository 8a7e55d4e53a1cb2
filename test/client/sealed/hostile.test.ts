/** A server that changes what it keeps: every case is noticed, nothing false is shown, and nothing is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildOperation, operationIdOf } from "../../../src/rules/sync/operation.ts";
import type { UnreadableReason } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { sealedName } from "../../fixtures/sealed-operation.ts";
import { createTestEncryption, failureOf, useKey } from "../sync/sealed-device.ts";
import { shown, stored, syncNow } from "../sync/world.ts";
import { BROKEN_SEALINGS } from "./broken-sealings.ts";
import { envelopeOf, flip, withEnvelope } from "./change-operation.ts";
import { createScene, type Attack, type Scene } from "./hostile-server.ts";

/** What the victim had, with the edit that waits. */
const KNOWN = { "note/1": { a: 1, b: 9 }, "note/2": { a: 6 } };
const WHOLE = { "note/1": { a: 2, b: 9 }, "note/3": { a: 7 }, "note/4": { c: 4, d: 5 } };

type Listed = readonly [entityId: string | undefined, reason: UnreadableReason];

interface HostileCase {
  /** What the server shows in place of what is new. */
  readonly attack: (scene: Ops) => readonly object[];
  readonly listed: readonly Listed[];
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
  const names = ["create1", "create2", "patch2", "create3", "remove3"] as const;
  const later = ["patch1", "create4", "remove2", "restore3"] as const;
  const byName = [...names, ...later].map((name, index) => [name, log[index]] as const);
  assert.equal(log.length, byName.length);
  return { log, ...(Object.fromEntries(byName) as unknown as Omit<Ops, "log">) };
}

/** Far after all others, so that it would win every merge. */
const LATE = { deviceId: "zzz", sequence: 900 };
const at = (operation: Operation, revision: Operation["revision"]): Operation => ({
  ...operation,
  operationId: operationIdOf(revision),
  revision,
});
const atLate = (operation: Operation): Operation => at(operation, LATE);

/** Builds the operation again with other members. */
function withMembers(
  { kind, revision, document }: Operation,
  change: (payload: Record<string, unknown>, metadata: Record<string, unknown>) => void,
): Operation {
  const { schemaVersion: _version, entityId, deleted: _deleted, payload, ...metadata } = document;
  const changed = { payload: { ...payload }, metadata: { ...metadata } };
  change(changed.payload, changed.metadata);
  const sorted = (members: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const changedMetadataFields = Object.keys(sorted(changed.metadata)).filter(
    (name) => name !== "sealed",
  );
  return buildOperation({
    kind,
    revision,
    entityId,
    payload: sorted(changed.payload),
    metadata: sorted(changed.metadata),
    changedMetadataFields,
  });
}

const ofEntity = (operation: Operation, { document }: Operation): Operation => ({
  ...operation,
  document: { ...operation.document, entityId: document.entityId },
});

const DAMAGED: Listed = ["note/1", "damaged"];
const NOT_SEALED: Listed = ["note/1", "not-sealed"];
const PATCHED = { ...KNOWN, "note/1": { a: 2, b: 9 } };

const CASES: Readonly<Record<string, HostileCase>> = {
  "flips a bit": { attack: ({ patch1 }) => [withEnvelope(patch1, flip)], listed: [DAMAGED] },
  "lets a damaged change replace a good one": {
    attack: ({ patch2 }) => [atLate(patch2)],
    listed: [["note/2", "damaged"]],
  },
  "shortens what is sealed": {
    attack: ({ patch1 }) => [withEnvelope(patch1, (envelope) => envelope.slice(0, -4))],
    listed: [DAMAGED],
  },
  "cuts it down to less than a tag": {
    attack: ({ patch1 }) => [withEnvelope(patch1, (envelope) => envelope.slice(0, 60))],
    listed: [NOT_SEALED],
  },
  "invents the id of a key": {
    attack: ({ patch1 }) => [
      withEnvelope(patch1, (envelope) => envelope.replace(/^2\.[^.]+/, `2.${"A".repeat(22)}`)),
    ],
    listed: [["note/1", "unknown-key"]],
  },
  "shows half of an operation": {
    attack: ({ create4 }) => [
      withMembers(create4, (payload) => void delete payload[Object.keys(payload)[0] ?? ""]),
    ],
    listed: [[undefined, "damaged"]],
  },
  "adds a field to an operation": {
    attack: ({ patch1 }) => [
      withMembers(patch1, (payload) => void (payload[sealedName("more")] = "")),
    ],
    listed: [DAMAGED],
  },
  "gives a field the name of another": {
    attack: ({ patch1, create4 }) => [
      withMembers(patch1, (payload) => {
        const [name = ""] = Object.keys(create4.document.payload ?? {});
        for (const own of Object.keys(payload)) delete payload[own];
        payload[name] = "";
      }),
    ],
    listed: [DAMAGED],
  },
  "moves a field from the payload to the metadata": {
    attack: ({ patch1 }) => [
      withMembers(patch1, (payload, metadata) => {
        for (const name of Object.keys(payload)) {
          metadata[name] = "";
          delete payload[name];
        }
      }),
    ],
    listed: [DAMAGED],
  },
  "swaps what two operations hold": {
    attack: ({ patch1, create4 }) => [
      withEnvelope(patch1, () => envelopeOf(create4)),
      withEnvelope(create4, () => envelopeOf(patch1)),
    ],
    listed: [DAMAGED, [undefined, "damaged"]],
  },
  "shows a change of one entity as one of another": {
    attack: ({ patch1, create2 }) => [ofEntity(patch1, create2)],
    listed: [["note/2", "damaged"]],
  },
  "shows the creation of one entity as that of another": {
    attack: ({ create4, create2 }) => [ofEntity(create4, create2)],
    listed: [["note/2", "damaged"]],
  },
  "shows old operations once more": {
    attack: ({ create1, create2 }) => [create1, create2],
    listed: [],
  },
  "shows an old value under a new revision": {
    attack: ({ create1, patch1 }) => [patch1, atLate(create1)],
    shows: PATCHED,
    listed: [DAMAGED],
  },
  "shows a change under an older revision": {
    attack: ({ patch1, create1 }) => [at(patch1, { ...create1.revision, deviceId: "zzz" })],
    listed: [DAMAGED],
  },
  "shows an old creation under a new revision": {
    attack: ({ create1 }) => [atLate(create1)],
    listed: [DAMAGED],
  },
  "forges a deletion": {
    attack: ({ create1 }) => [toDeletion(create1, LATE)],
    listed: [DAMAGED],
  },
  "deletes in the place of a change": {
    attack: ({ patch1 }) => [toDeletion(patch1, patch1.revision)],
    listed: [DAMAGED],
  },
  "shows the deletion of one entity as that of another": {
    attack: ({ create1, remove2 }) => [ofEntity(remove2, create1)],
    listed: [DAMAGED],
  },
  "revives with the creation from before the deletion": {
    attack: ({ create3 }) => [{ ...atLate(create3), kind: "restore" }],
    listed: [["note/3", "damaged"]],
  },
  "makes a revival of a deletion": {
    attack: ({ remove3 }) => [
      atLate({
        ...remove3,
        kind: "restore",
        document: { ...remove3.document, deleted: false, payload: {} },
      }),
    ],
    listed: [["note/3", "damaged"]],
  },
  "makes a creation of a change": {
    attack: ({ patch1 }) => [{ ...patch1, kind: "create" }],
    listed: [DAMAGED],
  },
  "makes a restore of a creation": {
    attack: ({ create4 }) => [{ ...create4, kind: "restore" }],
    listed: [[undefined, "damaged"]],
  },
  "damages what the device has": {
    attack: ({ create1, create2 }) => [withEnvelope(create1, flip), withEnvelope(create2, flip)],
    listed: [DAMAGED, ["note/2", "damaged"]],
  },
  "fills in a value": {
    attack: ({ patch1 }) => [
      withMembers(patch1, (payload) => {
        for (const name of Object.keys(payload)) payload[name] = "hello";
      }),
    ],
    listed: [NOT_SEALED],
  },
  "adds a member to a deletion that it does not name": {
    attack: ({ remove2 }) => [
      {
        ...withMembers(remove2, (_payload, metadata) => void (metadata[sealedName("more")] = "")),
        changedMetadataFields: [],
      },
    ],
    listed: [["note/2", "not-sealed"]],
  },
  "shows the plain text that it guesses": {
    attack: ({ patch1 }) => [
      withEnvelope(patch1, () => JSON.stringify(["note/1", [["a", "guessed"]], []])),
    ],
    listed: [NOT_SEALED],
  },
  "shows odd envelopes": {
    attack: ({ patch1 }) =>
      [0, null, {}, [], "", "2..", true, "[]"].map((value, index) =>
        at(
          withEnvelope(patch1, () => value),
          { deviceId: "zzz", sequence: 900 + index },
        ),
      ),
    listed: Array.from({ length: 8 }, () => NOT_SEALED),
  },
  "shows a huge envelope": {
    attack: ({ patch1 }) => [withEnvelope(patch1, (envelope) => envelope + "A".repeat(140_000))],
    listed: [DAMAGED],
  },
  "shows an envelope that is larger than any": {
    attack: ({ patch1 }) => [withEnvelope(patch1, (envelope) => envelope + "A".repeat(400_000))],
    listed: [],
    failure: "unreadable-page",
  },
  "shows an entity in the clear": {
    attack: () => [
      buildOperation({ kind: "create", revision: LATE, entityId: "note/9", payload: { a: 9 } }),
    ],
    listed: [[undefined, "not-sealed"]],
  },
  "deletes an entity in the clear": {
    attack: () => [buildOperation({ kind: "delete", revision: LATE, entityId: "note/1" })],
    listed: [[undefined, "not-sealed"]],
  },
  "shows what another account sealed": {
    attack: ({ patch1 }) => {
      const other = createTestEncryption();
      const strange = other.createKeyRecord(other.createDataKey(), [], null);
      return [withEnvelope(patch1, () => strange.keys)];
    },
    listed: [["note/1", "unknown-key"]],
  },
  "shows nothing any more, and says that it has everything": {
    attack: () => [],
    isSilent: true,
    listed: [],
  },
};

/** A deletion with what was sealed for something else. */
function toDeletion(operation: Operation, revision: Operation["revision"]): Operation {
  const { entityId } = operation.document;
  const metadata = { sealed: envelopeOf(operation) };
  return buildOperation({
    kind: "delete",
    revision,
    entityId,
    metadata,
    changedMetadataFields: [],
  });
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
    const unreadable = victim.unreadable.list();
    assert.deepEqual(
      unreadable.map(({ entityId, reason }) => [entityId, reason]),
      listed,
    );
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

/** Which case shows the defect; the others are seen on the wire, or by keys. */
const NOTICED_BY: readonly (readonly [keyof typeof BROKEN_SEALINGS, keyof typeof CASES])[] = [
  ["binds no revision", "shows an old value under a new revision"],
  ["binds no kind", "makes a creation of a change"],
  ["binds no names", "shows half of an operation"],
  ["binds no entity", "shows a change of one entity as one of another"],
  ["takes values that are not sealed", "fills in a value"],
  ["takes values that are not sealed", "adds a member to a deletion that it does not name"],
  ["merges before it opens", "lets a damaged change replace a good one"],
];

for (const [defect, name] of NOTICED_BY) {
  test(`a server that ${name} shows that a client ${defect}`, async (t) => {
    const scene = await createScene(t, BROKEN_SEALINGS[defect]);
    const hostile = CASES[name];
    assert.ok(hostile !== undefined);
    await assert.rejects(runCase(scene, hostile), { name: "AssertionError" });
  });
}

test("the same change of a copied device is one, however often it is sealed", async (t) => {
  for (const [breaks, isOne] of [
    [undefined, true],
    [BROKEN_SEALINGS["seals twice with other bytes"], false],
  ] as const) {
    const scene = await createScene(t, breaks);
    const server = scene.serve();
    const [device, copy] = [await scene.openVictim(), await scene.openVictim()];
    await syncNow(device);
    // The copy has pulled before, and pushes without knowing.
    server.attack = (log) => log.slice(0, scene.log.length);
    await syncNow(copy);
    const sent = server.pushed.filter(({ revision }) => revision.deviceId === device.deviceId);
    assert.ok(sent.length >= 2);
    assert.equal(new Set(sent.map((one) => JSON.stringify(one))).size === 1, isOne);
  }
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
  // What both have made alike is one change.
  assert.deepEqual(reasons, ["id_reused"]);
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
