import assert from "node:assert/strict";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { testOnBothStores } from "../operations/on-both-stores.ts";
import { postJson, signIn } from "../sync-client.ts";
import { signInOptions, startSyncService } from "./sync-service.ts";

const note = (sequence: number, text: string) =>
  createOperation({ sequence, entityId: "note/1", payload: { text } });

testOnBothStores("a refused push names its operations in a header alone", async (place) => {
  const store = await place.open();
  const { ask } = await startSyncService(store, { profile: "open" });
  const { accessToken } = await signIn(ask, signInOptions());
  const push = async (operations: readonly unknown[]) => {
    const headers = { Authorization: `Bearer ${accessToken}`, "X-Request-Id": "the-request" };
    const response = await postJson(ask, "/v1/push", { operations }, headers);
    const refused = response.headers.get("trellis-refused");
    return { status: response.status, refused, body: await response.text() };
  };
  const stored = await push([note(1, "one"), note(2, "two"), note(3, "three")]);
  assert.deepEqual([stored.status, stored.refused], [200, null]);

  const broken = [note(4, "four"), { ...note(5, "x"), kind: "rename" }, 7, note(6, "six")];
  const invalid = {
    status: 400,
    refused: "1=kind_unknown, 2=operation_shape",
    body: '{"error":"invalid_sync_operation","message":"Nothing was stored; operation 1: kind must be create, patch, delete or restore; operation 2: the operation must be an object","requestId":"the-request"}',
  };
  assert.deepEqual(await push(broken), invalid);
  // Pushes that come at once are read in a thread.
  const several = await Promise.all([broken, broken, broken, broken].map(push));
  assert.deepEqual(several, [invalid, invalid, invalid, invalid]);

  const jumps = [
    note(4, "four"),
    note(2 ** 40, "x"),
    note(4 + 2 ** 20, "y"),
    note(2 ** 53 - 1, "z"),
  ];
  assert.deepEqual(await push(jumps), {
    status: 400,
    refused: "1=sequence_jump, 3=sequence_jump",
    body: '{"error":"invalid_sync_operation","message":"Nothing was stored; operation 1: revision.sequence must be at most 1048576 above the greatest of the account; operation 3: revision.sequence must be at most 1048576 above the greatest of the account","requestId":"the-request"}',
  });

  const reused = [note(4, "four"), note(1, "other"), note(3, "three"), note(2, "other")];
  const conflict = {
    status: 409,
    refused: "1=id_reused, 3=id_reused",
    body: '{"error":"operation_conflict","message":"An operation id was used before with other content; nothing was stored","requestId":"the-request"}',
  };
  assert.deepEqual(await push(reused), conflict);
  await compactLog(store.database);
  assert.deepEqual(await push(reused), conflict, "also of operations that have left the log");
  assert.equal((await push([reused[0], reused[2]])).status, 200);
});
