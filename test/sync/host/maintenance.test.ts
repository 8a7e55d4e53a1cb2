/** What a server with many instances does for each of them once a day. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfiguration } from "../../../src/configuration/configuration.ts";
import { toHostConfiguration } from "../../../src/configuration/instance.ts";
import { startSyncHost } from "../../../src/hosting/sync-host.ts";
import { readSyncStatus } from "../../../src/sync/maintenance/read-status.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { postJson } from "../sync-client.ts";
import { addAccount, askOf, bearer, createHostPlace, originOf, signInTo } from "./serve-host.ts";

for (const kind of STORE_KINDS) {
  test(`an instance is pruned and compacted in its turn (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    await addAccount(place, "ada");
    const { dataDir, store } = place;
    const instances = { ada: { baseUrl: originOf("ada") } };
    const section = store === undefined ? { instances } : { instances, store };
    const { sync } = checkConfiguration({ dataDir, sync: section }, "of the test");
    assert.ok(sync !== undefined);
    const host = startSyncHost({
      ...toHostConfiguration(sync, dataDir),
      instances,
      createsFolders: false,
      trustedProxies: [],
      streamIdleTimeoutMs: 1000,
      log: () => undefined,
      onNotice: ({ kind: notice }) => assert.equal(notice, "security-event"),
    });
    t.after(() => host.close());
    const { accessToken } = await signInTo(host, "ada");
    for (const sequence of [1, 2, 3]) {
      const body = { operations: [createOperation({ sequence })] };
      const pushed = await postJson(askOf(host, "ada"), "/v1/push", body, bearer(accessToken));
      assert.equal(pushed.status, 200);
    }
    const readCounts = () =>
      host.use("ada", async ({ store: opened }) => {
        const { operations, ledger } = await readSyncStatus(opened.database);
        return { operations, ledger };
      });
    assert.deepEqual(await readCounts(), { operations: 3, ledger: 3 });
    assert.equal(await host.maintainNext(), "ada");
    assert.deepEqual(await readCounts(), { operations: 1, ledger: 3 });
    assert.equal(await host.maintainNext(), null);
  });
}
