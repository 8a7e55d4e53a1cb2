import { expectSame, fail } from "../../../expect.ts";
import { syncClientCases } from "../client-run.ts";
import { changeCursor, loseResponses, once, type Disturbance } from "../network.ts";

export const CLIENT_RECOVERY_CASES = syncClientCases({
  "client-loses-no-push": {
    title:
      "A client that heard nothing after a push finds out what arrived, and the log has it once",
    section: "Trellis decision, sync service: a repeated operation is a duplicate",
    run: ({ server, newSetting, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const reader = await server.device();
        const { cursor } = await reader.snapshot();
        const entityId = newSetting();
        await phone.stored(phone.client.create(entityId, { value: 1 }));
        await phone.stored(phone.client.patch(entityId, { value: 2 }));
        phone.network.disturb(loseResponses("/v1/push"));
        await phone.expectNotSynced("unreachable");
        await phone.sync();
        await tablet.sync();
        tablet.expectShown(entityId, { value: 2 });
        const stored = await reader.pullAll(cursor, phone.client.deviceId);
        const ids = stored.map(({ operationId }) => operationId);
        if (new Set(ids).size !== ids.length || ids.length > 2) {
          fail("GET /v1/pull", "each operation once", ids.join(", "));
        }
      }),
  },
  "client-starts-over-in-another-log": {
    title:
      "A client whose cursor is not of this log reads it from the start, and sends again what it lacks",
    section: "sync contract, GET /v1/pull: requiresSnapshot; Trellis decision: recovery",
    run: ({ newSetting, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const [old, lost] = [newSetting(), newSetting()];
        await tablet.stored(tablet.client.create(old, { value: "of the tablet" }));
        await tablet.sync();
        await phone.sync();
        await phone.stored(phone.client.create(lost, { value: "lost" }));
        // The server seems to have taken the push, and then to have been restored from a backup.
        const forgetPush = once("/v1/push", acknowledge);
        const anotherLog = once("/v1/pull", changeCursor({ generation: "another" }));
        phone.network.disturb((request, send) =>
          request.url.pathname.endsWith("/v1/push")
            ? forgetPush(request, send)
            : anotherLog(request, send),
        );
        const { recovered } = await phone.sync();
        if (recovered === null) {
          fail("GET /v1/pull with a cursor of another log", "a recovery", "a page");
        }
        phone.expectShown(old, { value: "of the tablet" });
        expectSame("the client after its recovery", "pending", phone.client.status.pending, 0);
        await tablet.sync();
        tablet.expectShown(lost, { value: "lost" });
      }),
  },
});

/** Receipts for operations that the server never sees. */
const acknowledge: Disturbance = async ({ body }) => {
  const { operations } = JSON.parse(body) as { operations: readonly unknown[] };
  const receipts = operations.map(() => ({ duplicate: false }));
  return Response.json({ receipts });
};
