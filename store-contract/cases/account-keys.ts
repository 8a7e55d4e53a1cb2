/** The list of keys of an encrypted account, and that a key which was replaced is over at once. */
import assert from "node:assert/strict";
import { MAX_KEY_LIST_CHARACTERS } from "../../src/contract/sync/account-keys.ts";
import { append, readAll, readKeys } from "../read-store.ts";
import {
  NOW,
  sampleAccountKey,
  sampleKeyProof,
  sampleOperation,
  sampleOperations,
  sampleSealedOperation,
} from "../samples.ts";
import type { StoreCases } from "../store-case.ts";
import type { SyncStore } from "../../src/sync/store.ts";

const FIRST = sampleAccountKey("first");
const SECOND = sampleAccountKey("second", "first");
const THIRD = sampleAccountKey("third", "second");
const sealed = sampleSealedOperation;

export const ACCOUNT_KEY_CASES: StoreCases = {
  "keys are listed as they were added, and pages and the head tell the last one": async ({
    store,
    reopen,
  }) => {
    assert.deepEqual(await tellKeys(store), { keys: [], head: null, page: null });
    await addKeys(store);
    const told = { keys: [FIRST, SECOND], head: SECOND.keyId, page: SECOND.keyId };
    assert.deepEqual(await tellKeys(store), told);
    assert.deepEqual(await tellKeys(await reopen()), told);
  },
  "a key follows only the account's key, by who proves that": async ({ store }) => {
    const { keys } = store;
    const added = { kind: "added", keyId: FIRST.keyId };
    assert.deepEqual(await keys.add(SECOND, sampleKeyProof("first")), { kind: "invalid" });
    assert.deepEqual(await keys.add(FIRST, null), added);
    const other = sampleAccountKey("other", "first");
    const wrong = { ...sampleKeyProof("other"), keyId: FIRST.keyId };
    for (const proof of [null, wrong, sampleKeyProof("other")]) {
      assert.deepEqual(await keys.add(other, proof), { kind: "unknown" });
    }
    assert.deepEqual(await keys.add(sampleAccountKey("other"), null), { kind: "replaced" });
    const proof = sampleKeyProof("first");
    for (const record of [sampleAccountKey("other"), THIRD, { ...SECOND, keys: FIRST.keys }]) {
      assert.deepEqual(await keys.add(record, proof), { kind: "invalid" });
    }
    assert.deepEqual(await keys.add(SECOND, proof), { kind: "added", keyId: SECOND.keyId });
    assert.deepEqual(await keys.add(other, proof), { kind: "replaced" }, "the key is over");
    assert.deepEqual((await tellKeys(store)).keys, [FIRST, SECOND]);
  },
  "a record that is repeated is taken without a proof, and another of its id is not": async ({
    store,
  }) => {
    await addKeys(store);
    const repeated = { kind: "repeated", keyId: SECOND.keyId };
    for (const record of [FIRST, SECOND]) {
      assert.deepEqual(await store.keys.add(record, null), repeated);
      const changed = { ...record, write: THIRD.write };
      const refused = await store.keys.add(changed, sampleKeyProof("second"));
      assert.deepEqual(refused, { kind: "replaced" });
    }
    assert.deepEqual((await tellKeys(store)).keys, [FIRST, SECOND]);
  },
  "a list whose records are large takes no more keys before their number says so": async ({
    store,
  }) => {
    const { keys } = store;
    assert.equal((await keys.add(FIRST, null)).kind, "added");
    const { keys: former, from = "" } = SECOND;
    // Alone it fits.
    const fill = "A".repeat(MAX_KEY_LIST_CHARACTERS - former.length - from.length);
    const large = { ...SECOND, keys: former + fill };
    assert.deepEqual(await keys.add(large, sampleKeyProof("first")), { kind: "too-many" });
    assert.equal((await keys.add(SECOND, sampleKeyProof("first"))).kind, "added");
  },
  "of several keys at once that follow one key, one is added": async ({ store }) => {
    await store.keys.add(FIRST, null);
    const names = ["a", "b", "c", "d"];
    const results = await Promise.all(
      names.map((name) => store.keys.add(sampleAccountKey(name, "first"), sampleKeyProof("first"))),
    );
    const kinds = results.map(({ kind }) => kind).toSorted();
    assert.deepEqual(kinds, ["added", "replaced", "replaced", "replaced"]);
    assert.equal((await tellKeys(store)).keys.length, 2);
  },
  "sealed operations are stored for who proves the account's key, and others store nothing":
    async ({ store }) => {
      const { operations } = store;
      const unknown = { kind: "key-unknown" };
      assert.deepEqual(await operations.append([sealed(1)], NOW, sampleKeyProof("first")), unknown);
      await store.keys.add(FIRST, null);
      const [before, repeated] = [sealed(1), [sealed(1), sampleOperation(2)]];
      for (const proof of [undefined, null, sampleKeyProof("second")]) {
        assert.deepEqual(await operations.append(repeated, NOW, proof), unknown);
      }
      await append(store, [before], sampleKeyProof("first"));
      await store.keys.add(SECOND, sampleKeyProof("first"));
      const all = await readAll(store);
      const replaced = { kind: "key-replaced" };
      // Also what is stored already, or was sealed under the key that is proved.
      for (const operation of [before, sealed(2), sealed(2, "second")]) {
        const result = await operations.append([operation], NOW, sampleKeyProof("first"));
        assert.deepEqual(result, replaced);
      }
      assert.deepEqual(await readAll(store), all);
      const [again] = await append(store, [before, sealed(2)], sampleKeyProof("second"));
      assert.equal(again?.duplicate, true, "what was sealed under a former key goes on");
      await append(store, sampleOperations(1, "tablet"));
    },
  "operations under keys that the list does not have are named, and nothing is stored": async ({
    store,
  }) => {
    await store.keys.add(FIRST, null);
    const before = await readAll(store);
    const batch = [sealed(1), sealed(2, "second"), sampleOperation(3), sealed(4, "third")];
    const result = await store.operations.append(batch, NOW, sampleKeyProof("first"));
    assert.deepEqual(result, { kind: "under-unknown-key", indexes: [1, 3] });
    assert.deepEqual(await readAll(store), before);
  },
  "no push of a key is stored after the key that replaces it": async ({ store }) => {
    await store.keys.add(FIRST, null);
    const push = (sequence: number) =>
      store.operations.append([sealed(sequence)], NOW, sampleKeyProof("first"));
    const early = [1, 2, 3].map(push);
    const adding = store.keys.add(SECOND, sampleKeyProof("first")).then(() => push(9));
    const results = await Promise.all([...early, ...[4, 5, 6].map(push)]);
    assert.equal((await adding).kind, "key-replaced");
    const kinds = results.map(({ kind }) => kind);
    assert.ok(kinds.every((kind) => kind === "stored" || kind === "key-replaced"));
    const stored = kinds.filter((kind) => kind === "stored").length;
    assert.equal((await store.operations.head()).headOffset, stored);
  },
};

export const SHARED_ACCOUNT_KEY_CASES: StoreCases = {
  "a key that one process replaces is over in the other": async ({ store, openBeside }) => {
    const other = await openBeside();
    await store.keys.add(FIRST, null);
    await append(other, [sealed(1)], sampleKeyProof("first"));
    await store.keys.add(SECOND, sampleKeyProof("first"));
    const result = await other.operations.append([sealed(2)], NOW, sampleKeyProof("first"));
    assert.deepEqual(result, { kind: "key-replaced" });
    assert.equal((await tellKeys(other)).head, SECOND.keyId);
  },
};

async function addKeys({ keys }: SyncStore): Promise<void> {
  await keys.add(FIRST, null);
  await keys.add(SECOND, sampleKeyProof("first"));
}

async function tellKeys(store: SyncStore) {
  const { operations } = store;
  return {
    keys: await readKeys(store),
    head: (await operations.head()).keyId,
    page: (await operations.page(0, 1)).keyId,
  };
}
