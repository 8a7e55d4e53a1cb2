/** What devices send and show: pushes, pulls and the merge. */
import { skipUnless } from "../../../case.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import { expectEach, expectSame, fail } from "../../../expect.ts";
import { CHANGES } from "../../changes.ts";
import {
  byOther,
  createSetting,
  entityIdsIn,
  patchSetting,
  THEME,
  HABIT,
  HABIT_PAYLOAD,
} from "../edits.ts";
import { expectRunKind, expectShown, expectSynced, requestsTo } from "../sync-device.ts";
import { withDevice, withDevices } from "../signed-in-devices.ts";
import type { DeviceEdit } from "../task.ts";

const PUSH = "sync contract, POST /v1/push; GET /v1/pull";
const MERGE = "Trellis decision, sync service: merge";
const LIMITS = "sync contract, Limits";

export const MERGING_CASES = driverCases({
  "edits-reach-another-device": {
    title: "What one device creates, patches, deletes and restores, another one shows",
    section: PUSH,
    run: (client) =>
      withDevices(client, {}, async (phone, tablet) => {
        const steps: readonly (readonly [DeviceEdit, object | undefined])[] = [
          [{ kind: "create", entityId: HABIT, payload: HABIT_PAYLOAD }, HABIT_PAYLOAD],
          [
            { kind: "patch", entityId: HABIT, payload: { name: "Patched" } },
            { ...HABIT_PAYLOAD, name: "Patched" },
          ],
          [{ kind: "delete", entityId: HABIT }, undefined],
          [
            { kind: "restore", entityId: HABIT, payload: { ...HABIT_PAYLOAD, name: "Restored" } },
            { ...HABIT_PAYLOAD, name: "Restored" },
          ],
        ];
        for (const [edit, payload] of steps) {
          expectShown(await expectSynced(phone.sync([edit])), HABIT, payload);
          expectShown(await expectSynced(tablet.sync()), HABIT, payload);
        }
      }),
  },
  "unknown-members-are-ignored": {
    title: "Members of a response that the client does not know change nothing",
    section: "sync contract, Gaps in the resource shapes",
    run: (client) =>
      withDevices(
        client,
        { more: { extra: { of: ["a", 1] }, next: null } },
        async (phone, tablet) => {
          await expectSynced(phone.sync([createSetting("dark")]));
          expectShown(await expectSynced(tablet.sync()), THEME, { value: "dark" });
        },
      ),
  },
  "devices-that-edited-apart-agree": {
    title:
      "Of fields that two devices changed apart the later change wins, on both, and the others stay",
    section: MERGE,
    run: (client) =>
      withDevices(client, {}, async (phone, tablet) => {
        const create: DeviceEdit = { kind: "create", entityId: HABIT, payload: HABIT_PAYLOAD };
        await expectSynced(phone.sync([create]));
        await expectSynced(tablet.sync());
        // The second patch of the phone has the greater revision.
        const ofPhone = [{ name: "By phone" }, { color: "#111111" }];
        await expectSynced(
          phone.sync(ofPhone.map((payload) => ({ ...create, kind: "patch", payload }))),
        );
        const ofTablet = { icon: "star", color: "#222222" };
        await expectSynced(tablet.sync([{ ...create, kind: "patch", payload: ofTablet }]));
        const merged = { ...HABIT_PAYLOAD, name: "By phone", icon: "star", color: "#111111" };
        for (const device of [phone, tablet]) {
          expectShown(await expectSynced(device.sync()), HABIT, merged);
        }
      }),
  },
  "two-creates-become-one-entity": {
    title: "Two devices that created one entity apart both show the fields of both",
    section: `${MERGE}, two devices that create one id`,
    run: (client) =>
      withDevices(client, {}, async (phone, tablet) => {
        const create = (payload: object): DeviceEdit => ({
          kind: "create",
          entityId: HABIT,
          payload: { ...HABIT_PAYLOAD, ...payload },
        });
        await expectSynced(phone.sync([createSetting(1), create({ ofPhone: true })]));
        // The tablet has not pulled when it makes its edit.
        await expectSynced(tablet.sync([create({ ofTablet: true })]));
        const both = { ...HABIT_PAYLOAD, ofPhone: true, ofTablet: true };
        for (const device of [phone, tablet]) {
          expectShown(await expectSynced(device.sync()), HABIT, both);
        }
      }),
  },
  "restore-brings-back-every-field": {
    title: "A device restores what another one deleted, without being given its fields",
    section: `${MERGE}, deletedRevision; the registers of an earlier life`,
    run: (client) =>
      withDevices(client, {}, async (phone, tablet) => {
        const payload = { ...HABIT_PAYLOAD, note: "kept" };
        await expectSynced(
          phone.sync([
            { kind: "create", entityId: HABIT, payload },
            { kind: "delete", entityId: HABIT },
          ]),
        );
        expectShown(await expectSynced(tablet.sync()), HABIT, undefined);
        const restored = await expectSynced(tablet.sync([{ kind: "restore", entityId: HABIT }]));
        expectShown(restored, HABIT, payload);
        expectShown(await expectSynced(phone.sync()), HABIT, payload);
      }),
  },
  "deletion-hides-later-patches": {
    title: "A patch that another device made does not bring back what was deleted",
    section: MERGE,
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        await expectSynced(phone.sync([createSetting(1)]));
        await expectSynced(phone.sync([{ kind: "delete", entityId: THEME }]));
        const payload = { value: "late" };
        account.push(byOther(500, { kind: "patch", entityId: THEME, payload }));
        expectShown(await expectSynced(phone.sync()), THEME, undefined);
      }),
  },
  "order-of-the-log-does-not-matter": {
    title: "An operation of a lower revision changes nothing, although it comes later in the log",
    section: `${MERGE}: the greater revision wins`,
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        const write = (kind: "create" | "patch", sequence: number) =>
          byOther(sequence, { kind, entityId: THEME, payload: { value: sequence } });
        account.push(write("create", 10), write("patch", 30), write("patch", 20));
        expectShown(await expectSynced(phone.sync()), THEME, { value: 30 });
      }),
  },
  "page-before-the-head-is-not-the-last": {
    title: "A device goes on behind a page with fewer operations than it asked for, up to the head",
    section: "Trellis decision, sync service: more pages; pages and pushes",
    run: (client) =>
      withDevice(client, { pageOperations: 3 }, async (phone, account) => {
        for (let value = 1; value <= 7; value++) {
          const entityId = `setting/of-${value}`;
          account.push(byOther(value, { kind: "create", entityId, payload: { value } }));
        }
        const run = await expectSynced(phone.sync());
        await expectEach([1, 4, 7], (value) => expectShown(run, `setting/of-${value}`, { value }));
      }),
  },
  "own-clock-follows-what-was-seen": {
    title: "An edit has a greater sequence than every operation that the device has pulled",
    section: "Trellis decision, sync service: revision is a Lamport clock",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        const seen = 70_000;
        account.push(byOther(seen, { kind: "create", entityId: THEME, payload: { value: 1 } }));
        await expectSynced(phone.sync());
        const run = await expectSynced(phone.sync([patchSetting("mine")]));
        expectShown(run, THEME, { value: "mine" });
        const { sequence = 0 } = account.log.at(-1)?.revision ?? {};
        if (sequence <= seen) fail(run.asked, `a sequence above ${seen}`, String(sequence));
      }),
  },
  "fields-of-other-apps-stay": {
    title: "A patch leaves the fields that the app does not know as they are",
    section: "Trellis decision, sync service: unknown fields are kept",
    run: (client) =>
      withDevices(client, {}, async (phone, tablet, account) => {
        const payload = { ...HABIT_PAYLOAD, ofAnotherApp: { deep: [1, null] } };
        account.push(byOther(1, { kind: "create", entityId: HABIT, payload }));
        await expectSynced(phone.sync());
        const edit: DeviceEdit = { kind: "patch", entityId: HABIT, payload: { name: "Mine" } };
        await expectSynced(phone.sync([edit]));
        const patched = { ...payload, name: "Mine" };
        expectShown(await expectSynced(tablet.sync()), HABIT, patched);
      }),
  },
  "limits-of-the-server-are-kept": {
    title: "More edits than a push or a page may have arrive in several, all of them",
    section: LIMITS,
    run: (client) =>
      withDevices(
        client,
        { maximumPushOperations: 5, maximumPullOperations: 4 },
        async (phone, tablet, account) => {
          const ids = Array.from({ length: 13 }, (_, index) => `setting/${index}`);
          await expectSynced(phone.sync(ids.map((id, index) => createSetting(index, id))));
          expectSame("POST /v1/push", "entities of the log", entityIdsIn(account), ids);
          const run = await expectSynced(tablet.sync());
          await expectEach(ids.entries(), ([value, id]) => expectShown(run, id, { value }));
        },
      ),
  },
  "live-changes-are-followed": {
    title: "A device that follows the changes shows the edit of another one by itself",
    section: "Trellis decision, sync service: live changes",
    run: (client) =>
      withDevice(client, { hasChanges: true }, async (phone, account) => {
        const payload = { value: "live" };
        const run = await phone.follow(THEME, (request) => {
          if (request.path === CHANGES) {
            setTimeout(() => {
              account.push(byOther(9, { kind: "create", entityId: THEME, payload }));
            }, AFTER_THE_STREAM_MS);
          }
          return account.respond(request);
        });
        skipUnless(
          requestsTo(run, CHANGES).length > 0,
          "The client follows no live changes, which it may do without: it polls",
        );
        expectRunKind(run, "synced");
        expectShown(run, THEME, payload);
      }),
  },
  "synced-device-sends-nothing-again": {
    title: "A sync without edits pushes nothing",
    section: "sync contract, POST /v1/push",
    run: (client) =>
      withDevice(client, {}, async (phone, account) => {
        await expectSynced(phone.sync([createSetting(1)]));
        await expectSynced(phone.sync());
        const run = await expectSynced(phone.sync());
        const pushes = run.requests.filter(({ path }) => path === "/v1/push");
        expectSame(run.asked, "pushes", pushes.length, 0);
        expectSame("POST /v1/push", "operations in the log", account.log.length, 1);
      }),
  },
});

/** The stream is open and its first event read by then; an event before it would do no harm. */
const AFTER_THE_STREAM_MS = 100;
