/** `trellis conformance sync --client`: the sync client against our server, broken ones and a plain one. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkSyncClient, isConforming, reportToText } from "../../conformance/index.ts";
import { SYNC_CLIENT_CASES } from "../../conformance/sync/client/check-sync-client.ts";
import { SYNC_BREAKS_OF_THE_CLIENT } from "./breaks/sync-client.ts";
import { WITHOUT_EXTENSIONS } from "./breaks/without-extensions.ts";
import { createBrokenSyncServers, type BrokenSyncServers } from "./broken-sync-server.ts";

let servers: BrokenSyncServers;
before(async () => {
  servers = await createBrokenSyncServers();
});
after(() => servers.close());

test("the client passes every case against our server, and none is skipped", async () => {
  const report = await servers.serve(null, (input) => checkSyncClient(input));
  assert.ok(isConforming(report), reportToText(report));
  assert.equal(report.passed, SYNC_CLIENT_CASES.length, reportToText(report));
  assert.match(reportToText(report), /to the sync contract, level client$/m);
});

describe("a broken server is caught by the client when it", () => {
  for (const broken of SYNC_BREAKS_OF_THE_CLIENT) {
    test(broken.name, async () => {
      const report = await servers.serve(broken, (input) =>
        checkSyncClient(input, { only: broken.caughtBy }),
      );
      const failed = report.results.filter(({ outcome }) => outcome.kind === "failed");
      assert.deepEqual(
        failed.map(({ id }) => id).toSorted(),
        broken.caughtBy.toSorted(),
        reportToText(report),
      );
    });
  }
});

test("every case of the client has a broken server that it catches", () => {
  const proved = new Set(SYNC_BREAKS_OF_THE_CLIENT.flatMap(({ caughtBy }) => caughtBy));
  const unproved = SYNC_CLIENT_CASES.filter(({ id }) => !proved.has(id)).map(({ id }) => id);
  assert.deepEqual(unproved, []);
});

test("a server without the extensions is compatible, and the report says what it lacks", async () => {
  const report = await servers.serve(WITHOUT_EXTENSIONS, (input) => checkSyncClient(input));
  const text = reportToText(report);
  assert.ok(isConforming(report), text);
  assert.equal(report.skipped, 3, text);
  assert.match(text, /^skip {2}client-follows-live-changes\n {6}The server lacks live changes/m);
  assert.match(
    text,
    /^skip {2}client-learns-what-is-refused\n {6}The server lacks the header Trellis-Refused: .*, with [3-9] pushes instead of 2$/m,
  );
  assert.match(text, /^skip {2}client-notices-a-put-back\n {6}The server lacks marks/m);
  assert.match(text, /, 0 failed, 3 skipped: compatible as far as it was tested$/);
});

const SIZES = ["client-syncs-more-than-a-page", "client-sets-refused-operations-aside"];

test("a server with small limits fails no case of the client", async () => {
  const limits = {
    maxBodyBytes: 8192,
    maxPushOperations: 3,
    maxPullOperations: 7,
    authorizePerMinute: 100_000,
  };
  const small = { name: "has small limits", caughtBy: [], options: { limits } };
  const only = [...SIZES, "client-learns-what-is-refused"];
  const report = await servers.serve(small, (input) => checkSyncClient(input, { only }));
  assert.deepEqual([report.passed, report.skipped], [2, 1], reportToText(report));
});

test("a server of the open profile fails no case of the client", async () => {
  const open = { name: "is open", caughtBy: [], options: { profile: "open" } } as const;
  const only = ["client-pushes-and-pulls", "client-merges-with-another-device", ...SIZES];
  const report = await servers.serve(open, (input) =>
    checkSyncClient({ ...input, profile: "open" }, { only }),
  );
  assert.equal(report.passed, only.length, reportToText(report));
});
