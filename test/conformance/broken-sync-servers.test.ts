import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkSync, reportToText } from "../../conformance/index.ts";
import { SYNC_CASES } from "../../conformance/sync/check-sync.ts";
import type { CaseOutcome } from "../../conformance/case.ts";
import { KEY_CASES } from "../../conformance/sync/cases/keys.ts";
import { SEALED_CASES } from "../../conformance/sync/cases/sealed.ts";
import type { ConformanceReport } from "../../conformance/report.ts";
import type { SyncBreak } from "./breaks/sync-break.ts";
import { SYNC_BREAKS_OF_EVERY_RESPONSE } from "./breaks/sync-every-response.ts";
import { SYNC_BREAKS_OF_BODIES } from "./breaks/sync-bodies.ts";
import { SYNC_BREAKS_OF_CHANGES } from "./breaks/sync-changes.ts";
import { SYNC_BREAKS_OF_ORIGINS } from "./breaks/sync-origins.ts";
import { SYNC_BREAKS_OF_PASSKEYS } from "./breaks/sync-passkeys.ts";
import { SYNC_BREAKS_OF_PULL } from "./breaks/sync-pull.ts";
import { SYNC_BREAKS_OF_PUSH } from "./breaks/sync-push.ts";
import { SYNC_BREAKS_OF_SEALED } from "./breaks/sync-sealed.ts";
import { SYNC_BREAKS_OF_SESSIONS } from "./breaks/sync-sessions.ts";
import { SYNC_BREAKS_OF_SIGN_IN } from "./breaks/sync-sign-in.ts";
import { SYNC_BREAKS_OF_THE_PAGE } from "./breaks/sync-page.ts";
import { createBrokenSyncServers, type BrokenSyncServers } from "./broken-sync-server.ts";

const BREAKS = [
  ...SYNC_BREAKS_OF_EVERY_RESPONSE,
  ...SYNC_BREAKS_OF_ORIGINS,
  ...SYNC_BREAKS_OF_THE_PAGE,
  ...SYNC_BREAKS_OF_SIGN_IN,
  ...SYNC_BREAKS_OF_SESSIONS,
  ...SYNC_BREAKS_OF_BODIES,
  ...SYNC_BREAKS_OF_PUSH,
  ...SYNC_BREAKS_OF_PULL,
  ...SYNC_BREAKS_OF_CHANGES,
  ...SYNC_BREAKS_OF_SEALED,
  ...SYNC_BREAKS_OF_PASSKEYS,
];

let servers: BrokenSyncServers;
before(async () => {
  servers = await createBrokenSyncServers();
});
after(() => servers.close());

/** The cases of the profile sealed. */
const OF_SEALED = [...SEALED_CASES, ...KEY_CASES];

test("the unbroken server passes every case but those of the profile sealed", async () => {
  const report = await servers.serve(null, (input) => checkSync(input));
  assert.equal(report.failed, 0, reportToText(report));
  assert.deepEqual(
    idsOf(report, "skipped"),
    OF_SEALED.map(({ id }) => id),
  );
});

test("an unbroken server of the profile sealed is known by its capabilities, and passes its cases", async () => {
  const sealed: SyncBreak = { name: "is sealed", caughtBy: [], options: { profile: "sealed" } };
  const clear = ["valid-operations-are-accepted", "patch-changes-only-what-it-names"];
  const passing = ["capabilities-name-the-profile-that-holds", ...OF_SEALED.map(({ id }) => id)];
  const report = await servers.serve(sealed, (input) =>
    checkSync(input, { only: [...passing, ...clear] }),
  );
  assert.deepEqual(idsOf(report, "passed"), passing, reportToText(report));
  assert.deepEqual(idsOf(report, "skipped"), clear, reportToText(report));
});

const idsOf = ({ results }: ConformanceReport, kind: CaseOutcome["kind"]) =>
  results.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id);

describe("a broken server is caught when it", () => {
  for (const broken of BREAKS) {
    test(broken.name, async () => {
      const report = await servers.serve(broken, (input) =>
        checkSync(input, { only: broken.caughtBy }),
      );
      assert.deepEqual(
        idsOf(report, "failed").toSorted(),
        broken.caughtBy.toSorted(),
        reportToText(report),
      );
    });
  }
});

test("a failed clean-up does not change the report", async () => {
  const broken: SyncBreak = {
    name: "has no capabilities",
    caughtBy: [],
    respond: (request, { real }) =>
      real({ ...request, target: request.target.replace("capabilities", "nothing") }),
  };
  const report = await servers.serve(broken, (input) =>
    checkSync(input, { only: ["code-works-once", "capabilities-name-what-the-instance-can-do"] }),
  );
  assert.deepEqual([report.passed, report.failed], [1, 1], reportToText(report));
});

test("every case has a broken server that it catches", () => {
  const proved = new Set(BREAKS.flatMap(({ caughtBy }) => caughtBy));
  const unproved = SYNC_CASES.filter(({ id }) => !proved.has(id)).map(({ id }) => id);
  assert.deepEqual(unproved, []);
});
