import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOperation } from "../../rules/sync/operation-text.ts";
import { createEditor } from "./edits.ts";
import { openLocalStore } from "./local-store.ts";
import { createMemorySyncStorage } from "./memory-storage.ts";
import { mergePage, readPlace } from "./merge-page.ts";
import { pendingKey, revisionOf } from "./records.ts";
import { readSyncSettings } from "./read-settings.ts";

for (const [title, respell, quarantined] of [
  ["a pulled operation in another spelling is the one in the queue", sortMembers, 0],
  ["a pulled operation with another value is not the one in the queue", changeValue, 1],
] as const) {
  test(title, async () => {
    const settings = readSyncSettings({
      baseUrl: "https://sync.example.com",
      redirectUri: "https://app.example.com/callback",
      storage: createMemorySyncStorage(),
      profile: "open",
    });
    const store = await openLocalStore({ ...settings, form: null, onWrite() {}, onLoad() {} });
    const edit = { kind: "create", entityId: "note/1", payload: { a: [1, "é"], b: {} } } as const;
    const result = await createEditor(store, settings)([{ ...edit, metadata: {} }], false);
    const [operationId = ""] = result.kind === "stored" ? result.operationIds : [];
    const key = pendingKey(revisionOf(operationId));
    const queued = (await store.read((transaction) => transaction.get(key))) ?? "";
    const pulled = respell(queued);
    assert.notEqual(pulled, queued);
    const place = await store.read(readPlace);
    const page = { operations: [parseOperation(pulled)], cursor: "c1", offset: 1 };
    await store.write((transaction) => mergePage(transaction, place, page));
    const { pending, quarantine } = store.facts();
    assert.deepEqual([pending, quarantine.length], [0, quarantined]);
    await store.close();
  });
}

/** Also with white space, and with characters escaped. */
function sortMembers(text: string): string {
  const members = Object.entries(JSON.parse(text) as object).toSorted();
  return JSON.stringify(Object.fromEntries(members), null, 1).replaceAll("é", "\\u00e9");
}

function changeValue(text: string): string {
  return text.replace("[1,", "[2,");
}
