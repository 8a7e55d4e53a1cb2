/** The keys of an encrypted account, and pushes that must prove them, over HTTP. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import type { AccountKey } from "../../../src/contract/sync/schemas.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { readLog } from "../../../store-contract/read-store.ts";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { createSealedAccount, keyHeaderOf } from "../../fixtures/sealed-account.ts";
import { createSealedOperation, sealedEnvelope } from "../../fixtures/sealed-operation.ts";
import { testOnBothStores, type SyncPlace } from "../operations/on-both-stores.ts";
import { openChanges } from "../read-changes.ts";
import { postJson, signIn } from "../sync-client.ts";
import { signInOptions, startSyncService } from "./sync-service.ts";

async function start(place: SyncPlace, options: Partial<SyncServiceOptions> = {}) {
  const store = await place.open();
  const { ask } = await startSyncService(store, { profile: "sealed", ...options });
  const { accessToken: token } = await signIn(ask, signInOptions());
  const bearer = { Authorization: `Bearer ${token}`, "X-Request-Id": "the-request" };
  const send = async (path: string, body: unknown, key?: string) => {
    const headers = { ...bearer, ...(key !== undefined && { "Trellis-Key": key }) };
    const response = await postJson(ask, path, body, headers);
    const value = (await response.json()) as { readonly error?: string; readonly keyId?: string };
    const refused = response.headers.get("trellis-refused");
    return { status: response.status, code: value.error ?? value.keyId, refused };
  };
  const get = async <T>(path: string) => (await (await ask(path, { headers: bearer })).json()) as T;
  return {
    ask,
    store,
    token,
    addKey: (record: unknown, key?: string) => send("/v1/keys", record, key),
    push: (operations: readonly Operation[], key?: string) => send("/v1/push", { operations }, key),
    listKeys: async () => (await get<{ readonly keys: AccountKey[] }>("/v1/keys")).keys,
    pull: () => get<{ readonly keyId?: string | null }>("/v1/pull"),
  };
}

testOnBothStores("an account gets its first key, and each key is replaced once", async (place) => {
  const server = await start(place);
  const account = createSealedAccount();
  const [first] = account.keys;
  assert.deepEqual(await server.listKeys(), []);
  assert.equal((await server.pull()).keyId, null);
  const added = { status: 201, code: first.id, refused: null };
  assert.deepEqual(await server.addKey(account.records[0]), added);
  assert.deepEqual(await server.addKey(account.records[0]), { ...added, status: 200 });
  // A second device that made a key of its own at the same time.
  const [other] = createSealedAccount(7).records;
  const replaced = { status: 409, code: "key_replaced", refused: null };
  assert.deepEqual(await server.addKey(other), replaced);

  const late = account.nextKey(99).record;
  const second = account.rotate();
  assert.equal((await server.addKey(second, keyHeaderOf(first))).status, 201);
  assert.deepEqual(await server.addKey(late, keyHeaderOf(first)), replaced);
  // Whose response was lost learns that the key was added, and which one is the account's.
  const repeated = { status: 200, code: second.keyId, refused: null };
  for (const record of account.records) assert.deepEqual(await server.addKey(record), repeated);
  assert.deepEqual(await server.listKeys(), account.records);
  assert.equal((await server.pull()).keyId, second.keyId);
});

testOnBothStores(
  "the list of keys takes no noise, neither from a session alone nor from the holder of a key",
  async (place) => {
    const server = await start(place);
    const account = createSealedAccount();
    const [first] = account.keys;
    await server.addKey(account.records[0]);
    const { key, record: next } = account.nextKey();
    const unknown = { status: 403, code: "key_unknown", refused: null };
    const secret = keyHeaderOf(first).split(".")[1];
    const wrong = [
      undefined,
      "",
      first.id,
      `${first.id}.`,
      `${first.id}.${"A".repeat(43)}`,
      `${first.id}.${secret}.`,
      `${first.id}.${secret}=`,
      `${key.id}.${secret}`,
      keyHeaderOf(key),
      `${keyHeaderOf(first)}, ${keyHeaderOf(first)}`,
    ];
    for (const header of wrong) {
      assert.deepEqual(await server.addKey(next, header), unknown, String(header));
    }
    const proof = keyHeaderOf(first);
    const invalid = { status: 400, code: "invalid_request", refused: null };
    const { from: _, ...withoutFrom } = next;
    const malformed = [
      {},
      [],
      { ...next, more: 1 },
      { ...next, keyId: `${next.keyId}A` },
      { ...next, keyId: `${"A".repeat(21)}B` },
      { ...next, write: "A".repeat(42) },
      { ...next, keys: "" },
      { ...next, keys: next.keys.replace(/^2/, "1") },
      { ...next, keys: `2.${first.id}.${next.keys.split(".")[2]}` },
      { ...next, keys: `${next.keys.slice(0, -4)}${"A".repeat(200_000)}` },
      { ...next, from: next.keys },
      { ...next, from: null },
      withoutFrom,
    ];
    for (const record of malformed) assert.deepEqual(await server.addKey(record, proof), invalid);
    // A first record is the first.
    assert.deepEqual(await server.listKeys(), [account.records[0]]);
    assert.equal((await server.addKey(next, proof)).status, 201);
  },
);

testOnBothStores(
  "a session without the key, or with a former one, writes nothing, so it outranks no edit",
  async (place) => {
    const server = await start(place);
    const account = createSealedAccount();
    const [first] = account.keys;
    const entityId = "note/1";
    await server.addKey(account.records[0]);
    const edits = Array.from({ length: 3 }, (_, index) =>
      account.seal({ kind: index === 0 ? "create" : "patch", sequence: index + 1, entityId }),
    );
    assert.equal((await server.push(edits, keyHeaderOf(first))).status, 200);
    const { payload = {} } = edits[0]?.document ?? {};
    // Noise over the same fields, far ahead: the server can tell it from an edit by nothing but the key.
    const garbage = createSealedOperation({
      kind: "patch",
      deviceId: "thief",
      sequence: 2 ** 20,
      entityId: edits[0]?.document.entityId ?? "",
      payload: Object.keys(payload),
      envelope: sealedEnvelope("noise").replace(/^2\.[^.]+/, `2.${first.id}`),
    });
    const unknown = { status: 403, code: "key_unknown", refused: null };
    assert.deepEqual(await server.push([garbage]), unknown);
    assert.deepEqual(await server.push([garbage], `${first.id}.${"A".repeat(43)}`), unknown);
    await server.addKey(account.rotate(), keyHeaderOf(first));
    const replaced = { status: 403, code: "key_replaced", refused: null };
    assert.deepEqual(await server.push([garbage], keyHeaderOf(first)), replaced);

    const current = keyHeaderOf(account.keys[1] ?? first);
    const later = account.seal({ kind: "patch", sequence: 4, entityId });
    assert.equal((await server.push([later], current)).status, 200);
    await compactLog(server.store.database);
    const log = await readLog(server.store.operations);
    assert.equal(log.at(-1), JSON.stringify(later));
    assert.ok(log.every((text) => !text.includes("thief")));
  },
);

testOnBothStores("who proves the key pushes what any key of the list has sealed", async (place) => {
  const server = await start(place);
  const account = createSealedAccount();
  const [first] = account.keys;
  const early = account.seal({ sequence: 1, entityId: "note/1" });
  await server.addKey(account.records[0]);
  await server.addKey(account.rotate(), keyHeaderOf(first));
  const current = keyHeaderOf(account.keys[1] ?? first);
  assert.equal((await server.push([early], current)).status, 200);
  const stranger = createSealedAccount(7);
  const strange = stranger.seal({ sequence: 2, entityId: "note/2" });
  const result = await server.push([early, strange], current);
  const refused = { status: 400, code: "invalid_sync_operation", refused: "1=key_unknown" };
  assert.deepEqual(result, refused);
  assert.equal((await readLog(server.store.operations)).length, 1);
});

testOnBothStores(
  "a stream tells when the account has a new key, also to who comes late",
  async (place, t) => {
    const server = await start(place);
    const account = createSealedAccount();
    const [first] = account.keys;
    const stream = await openChanges(server.ask, server.token);
    t.after(() => stream.close());
    await stream.head();
    assert.doesNotMatch(stream.text(), /event: keys/);
    await server.addKey(account.records[0]);
    await untilText(() => stream.text(), keysEvent(first.id));
    const second = account.rotate();
    await server.addKey(second, keyHeaderOf(first));
    await untilText(() => stream.text(), keysEvent(second.keyId));
    const late = await openChanges(server.ask, server.token);
    t.after(() => late.close());
    await untilText(() => late.text(), keysEvent(second.keyId));
    assert.equal(stream.text().match(/event: keys/g)?.length, 2);
  },
);

const keysEvent = (keyId: string) => `event: keys\ndata: {"keyId":"${keyId}"}\n\n`;

async function untilText(read: () => string, wanted: string): Promise<void> {
  for (let tries = 0; !read().includes(wanted); tries++) {
    assert.ok(tries < 1000, `the stream does not tell ${wanted}`);
    await wait(5);
  }
}

testOnBothStores("a used-up quota refuses a push, and no key", async (place) => {
  const usedBytes = async () => 2;
  const server = await start(place, { quota: { storage: { maxBytes: 1, usedBytes } } });
  const account = createSealedAccount();
  const [first] = account.keys;
  assert.equal((await server.addKey(account.records[0])).status, 201);
  const operation = account.seal({ sequence: 1, entityId: "note/1" });
  assert.equal((await server.push([operation], keyHeaderOf(first))).status, 507);
  assert.equal((await server.addKey(account.rotate(), keyHeaderOf(first))).status, 201);
});

testOnBothStores("the list of keys is not there in another profile", async (place) => {
  const server = await start(place, { profile: "open" });
  const [record] = createSealedAccount().records;
  assert.deepEqual(await server.addKey(record), { status: 404, code: "not_found", refused: null });
  assert.equal("keyId" in (await server.pull()), false);
});

testOnBothStores("what proves a key is in no log, and not in the store", async (place) => {
  const lines: string[] = [];
  const log = (line: object) => void lines.push(JSON.stringify(line));
  const server = await start(place, { log });
  const account = createSealedAccount();
  const header = keyHeaderOf(account.keys[0]);
  await server.addKey(account.records[0], header);
  await server.push([account.seal({ sequence: 1, entityId: "note/1" })], header);
  await server.push([account.seal({ sequence: 2, entityId: "note/2" })], `${header}x`);
  assert.ok(lines.length >= 3);
  const secret = header.split(".")[1] ?? "";
  const kept = await server.store.database.query("SELECT * FROM sync_keys");
  for (const text of [lines.join("\n"), JSON.stringify(kept)]) assert.ok(!text.includes(secret));
});
