/** What a device does with refusals, lost responses, another log, and servers that fail or lie. */
import type { Operation } from "../../../../src/contract/sync/operation.ts";
import { skipUnless } from "../../../case.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import { createEndlessReply } from "../../../drivers/endless-reply.ts";
import { jsonReply, type Reply } from "../../../drivers/loopback-service.ts";
import { expectEach, expectSame, fail } from "../../../expect.ts";
import { byOther, createSetting, patchSetting, THEME } from "../edits.ts";
import { errorReply, type PlayedAccount } from "../played-account.ts";
import {
  expectRunKind,
  expectShown,
  expectSynced,
  requestsTo,
  type SyncDevice,
} from "../sync-device.ts";
import { withDevice, withDevices } from "../signed-in-devices.ts";

const REFUSED = "sync contract, States and transitions 4";
const RECOVERY = "sync contract, GET /v1/pull: requiresSnapshot; Trellis decision: recovery";
const ERRORS = "sync contract, Errors";
const HEADER = "Trellis decision, sync service: Trellis-Refused";

export const RECOVERY_CASES = driverCases({
  "refused-operations-are-set-aside": {
    title: "A device sets aside exactly what the server refuses, and sends the rest",
    section: REFUSED,
    run: (client) =>
      withDevices(client, {}, async (phone, tablet, account) => {
        const { ids, refusedId, run } = await pushWithRefused(phone, account);
        const { refused = [] } = run.result;
        expectSame(run.asked, "operations set aside", refused, [refusedId]);
        const other = await expectSynced(tablet.sync());
        await expectEach(ids.entries(), ([value, id]) =>
          expectShown(other, id, value === REFUSED_INDEX ? undefined : { value }),
        );
      }),
  },
  "refused-header-is-read": {
    title: "A device that is told which operation is refused sends the others at once",
    section: HEADER,
    run: (client) =>
      withDevice(client, { namesRefused: true }, async (phone, account) => {
        const { refusedId, run } = await pushWithRefused(phone, account);
        const { refused = [] } = run.result;
        expectSame(run.asked, "operations set aside", refused, [refusedId]);
        skipUnless(
          requestsTo(run, "/v1/push").length === 2,
          "The client does not read the header Trellis-Refused, and finds the operation by itself",
        );
      }),
  },
  "lost-push-is-not-doubled": {
    title: "A device that heard nothing after a push sends the same again, and the log has it once",
    section: "Trellis decision, sync service: a repeated operation is a duplicate",
    run: (client) =>
      withDevices(client, {}, async (phone, tablet, account) => {
        const lost = await phone.sync([createSetting(1), patchSetting(2)], (request) => {
          const reply = account.respond(request);
          return request.path === "/v1/push" ? (response) => response.destroy() : reply;
        });
        expectRunKind(lost, "failed");
        expectShown(lost, THEME, { value: 2 });
        await expectSynced(phone.sync());
        expectSame("POST /v1/push", "operations in the log", account.log.length, 2);
        expectShown(await expectSynced(tablet.sync()), THEME, { value: 2 });
      }),
  },
  "failed-push-keeps-the-edits": {
    title: "Edits that the server could not take stay, are shown, and are sent later",
    section: ERRORS,
    run: (client) =>
      expectEach(
        ["rate_limited", "internal_error", "storage_unavailable", "quota_exceeded"] as const,
        (code) =>
          withDevice(client, {}, async (phone, account) => {
            const failed = await phone.sync([createSetting(code)], (request) =>
              request.path === "/v1/push" ? errorReply(code) : account.respond(request),
            );
            expectRunKind(failed, "failed");
            expectShown(failed, THEME, { value: code });
            expectSame(failed.asked, "operations set aside", failed.result.refused ?? [], []);
            await expectSynced(phone.sync());
            expectSame("POST /v1/push", "operations in the log", account.log.length, 1);
          }),
      ),
  },
  "another-log-gets-what-it-lacks": {
    title:
      "A device whose cursor is of another log reads it from the start, and sends what it lacks",
    section: RECOVERY,
    run: (client) =>
      withDevices(client, {}, async (phone, tablet, account) => {
        const other = "setting/of-the-tablet";
        await expectSynced(tablet.sync([createSetting("tablet", other)]));
        await expectSynced(phone.sync([createSetting("lost")]));
        await expectSynced(phone.sync());
        account.restore(1);
        const run = await expectSynced(phone.sync());
        expectShown(run, other, { value: "tablet" });
        expectShown(run, THEME, { value: "lost" });
        expectSame("POST /v1/push", "operations in the log", account.log.length, 2);
        expectShown(await expectSynced(tablet.sync()), THEME, { value: "lost" });
      }),
  },
  "push-outlives-a-rollback": {
    title: "A device finds out that the store lost what it pushed, and pushes it again",
    section: "Trellis decision, sync service: the cursor of the newest receipt is remembered",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        const other = byOther(900, {
          kind: "create",
          entityId: "setting/other",
          payload: { value: 1 },
        });
        let isPushed = false;
        await phone.sync([createSetting("mine")], (request) => {
          // What another device pushes first is behind the cursor of the last page.
          if (request.path === "/v1/push" && !isPushed) account.push(other);
          if (request.path === "/v1/pull" && isPushed) return errorReply("internal_error");
          isPushed ||= request.path === "/v1/push";
          return account.respond(request);
        });
        account.rollBack(0);
        expectShown(await expectSynced(phone.sync()), THEME, { value: "mine" });
        const hasMine = account.log.some(({ document }) => document.entityId === THEME);
        expectSame("POST /v1/push", "whether the log has the edit", hasMine, true);
      }),
  },
  "unknown-cursor-starts-over": {
    title: "A device whose cursor the server does not know reads the log from the start",
    section: "Trellis decision, sync service: invalid_cursor",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        await expectSynced(phone.sync([createSetting("mine")]));
        await expectSynced(phone.sync());
        let refusals = 0;
        const run = phone.sync([], (request) => {
          const isKnown = request.path !== "/v1/pull" || !request.query.has("cursor");
          return isKnown || refusals++ > 0
            ? account.respond(request)
            : errorReply("invalid_cursor");
        });
        expectShown(await expectSynced(run), THEME, { value: "mine" });
        expectSame("GET /v1/pull", "refused cursors", refusals > 0, true);
      }),
  },
  "unreadable-pages-change-nothing": {
    title: "Of a page that is not what the contract says nothing is taken, and the cursor stays",
    section: "Trellis decision, sync service: what a client does with a page",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        account.push(byOther(1, { kind: "create", entityId: THEME, payload: { value: "good" } }));
        await expectEach(Object.entries(BAD_PAGES), async ([what, change]) => {
          const run = await phone.sync([], (request) =>
            request.path === "/v1/pull" ? change(account) : account.respond(request),
          );
          expectRunKind({ ...run, asked: `a sync with ${what}` }, "failed");
          expectShown({ ...run, asked: `a sync with ${what}` }, THEME, undefined);
        });
        expectShown(await expectSynced(phone.sync()), THEME, { value: "good" });
      }),
  },
  "endless-page-is-refused": {
    title: "A device stops reading a page that is far longer than one may be",
    section: "sync contract, Limits",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        const { reply, expectStopped } = createEndlessReply('{"operations":[');
        const run = await phone.sync([], (request) =>
          request.path === "/v1/pull" ? reply : account.respond(request),
        );
        expectStopped(run.asked);
        expectRunKind(run, "failed");
      }),
  },
  "pages-that-lead-back-end": {
    title: "A sync ends although the pages of a server lead back to the first",
    section: "Trellis decision, sync client: a server that leads back would be asked for ever",
    run: (client) =>
      withDevice(client, { maximumPullOperations: 2 }, async (phone, account) => {
        const operations = [1, 2].map((sequence) =>
          byOther(sequence, {
            kind: "create",
            entityId: `setting/${sequence}`,
            payload: { value: 1 },
          }),
        );
        account.push(...operations);
        const run = await phone.sync([], (request) =>
          request.path === "/v1/pull"
            ? pageOf(account, operations, "g1-0")
            : account.respond(request),
        );
        const count = requestsTo(run, "/v1/pull").length;
        if (count > MAX_PULLS) fail(run.asked, `at most ${MAX_PULLS} pulls`, String(count));
      }),
  },
  "tokens-go-to-no-other-address": {
    title: "A redirect is a failure: no token goes to another address",
    section: "sync contract, Authentication 5",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        const run = await phone.sync([], (request) =>
          request.path === "/v1/pull"
            ? { status: 307, headers: { Location: "/elsewhere" } }
            : account.respond(request),
        );
        const [followed] = requestsTo(run, "/elsewhere");
        if (followed !== undefined) fail(run.asked, "no redirect followed", followed.asked);
        expectRunKind(run, "failed");
      }),
  },
  "slow-server-is-waited-for": {
    title: "A page that takes a second arrives",
    section: "sync contract, GET /v1/pull",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        account.push(byOther(1, { kind: "create", entityId: THEME, payload: { value: "slow" } }));
        const run = phone.sync([], async (request) => {
          if (request.path === "/v1/pull")
            await new Promise((resolve) => setTimeout(resolve, 1000));
          return account.respond(request);
        });
        expectShown(await expectSynced(run), THEME, { value: "slow" });
      }),
  },
});

const BATCH = 8;
const REFUSED_INDEX = 5;
const MAX_PULLS = 10;

/** Pushes some operations, of which the id of one was used with other content when they arrive. */
async function pushWithRefused(phone: SyncDevice, account: PlayedAccount) {
  const ids = Array.from({ length: BATCH }, (_, index) => `setting/${index}`);
  let refusedId = "";
  const run = await phone.sync(
    ids.map((id, value) => createSetting(value, id)),
    (request) => {
      if (request.path === "/v1/push" && refusedId === "") {
        const { operations } = JSON.parse(request.body) as { operations: readonly Operation[] };
        const refused = operations.find(({ document }) => document.entityId === ids[REFUSED_INDEX]);
        if (refused !== undefined) {
          refusedId = refused.operationId;
          account.push({
            ...refused,
            document: { ...refused.document, entityId: "setting/taken" },
          });
        }
      }
      return account.respond(request);
    },
  );
  return { ids, refusedId, run: await expectSynced(Promise.resolve(run)) };
}

function pageOf({ log }: PlayedAccount, operations: readonly unknown[], cursor: unknown): Reply {
  return jsonReply({
    operations,
    cursor,
    headOffset: log.length,
    compactionFloor: 0,
    requiresSnapshot: false,
    recoveryReason: "none",
  });
}

/** Pages with the good operation and something that no server may send. */
const BAD_PAGES: Readonly<Record<string, (account: PlayedAccount) => Reply>> = {
  "a page that is no JSON": () => ({ status: 200, body: "<!doctype html><title>Hello</title>" }),
  "a page without operations": (account) => pageOf(account, undefined as never, "g1-1"),
  "a page without a cursor": (account) => pageOf(account, account.log, undefined),
  "a cursor with a space": (account) => pageOf(account, account.log, "g 1"),
  "an operation without an id": (account) =>
    pageOf(account, [...account.log, { ...account.log[0], operationId: undefined }], "g1-1"),
  "an operation whose id is another's": (account) =>
    pageOf(account, [...account.log, { ...account.log[0], operationId: "operation/x/1" }], "g1-1"),
  "a sequence after which no device can count": (account) => {
    const last = byOther(Number.MAX_SAFE_INTEGER, {
      kind: "create",
      entityId: THEME,
      payload: { value: 1 },
    });
    return pageOf(account, [...account.log, last], "g1-1");
  },
  "status 404": () => errorReply("not_found"),
};
