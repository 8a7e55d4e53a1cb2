/** What Trellis has beyond the contract. A server may do without: the report says what it then lacks. */
import { skipUnless } from "../../../case.ts";
import { expectSame, expectSoon } from "../../../expect.ts";
import { CHANGES } from "../../changes.ts";
import { OTHER_MARK, readCursorMembers } from "../../cursor.ts";
import { expectCapabilities } from "../../expectations.ts";
import { syncClientCases } from "../client-run.ts";
import { changeCursor, once } from "../network.ts";
import type { TestClient } from "../test-client.ts";
import { pushWithRefused, REFUSED_BATCH } from "./sync.ts";

const EXTENSION = "Trellis decision, sync service";
/** A new device syncs before it follows the changes. */
const FIRST_SYNC_MS = 30_000;
/** A quarter of a second is allowed; the rest is for the network. */
const LIVE_MS = 5000;

export const CLIENT_EXTENSION_CASES = syncClientCases({
  "client-follows-live-changes": {
    title: "An edit on one device appears on the other by itself, within seconds",
    section: `${EXTENSION}: live changes`,
    run: ({ server, newSetting, withClients }) =>
      withClients(async ({ signIn }) => {
        const { sync } = expectCapabilities(await server.api.get("/v1/capabilities"));
        skipUnless(
          sync.changes === true,
          "The server lacks live changes (GET /v1/changes, announced as changes in the capabilities): an edit appears on other devices when they poll, by default every 30 seconds",
        );
        const phone = await signIn({ isLive: true });
        const tablet = await signIn({ isLive: true });
        const follows = ({ network }: TestClient) =>
          network.requests.some(
            ({ url, status }) => url.pathname.endsWith(CHANGES) && status === 200,
          );
        await expectSoon(CHANGES, "an open stream", FIRST_SYNC_MS, () => follows(tablet));
        const entityId = newSetting();
        await phone.stored(phone.client.create(entityId, { value: "live" }));
        const isThere = () => tablet.client.entities.get(entityId) !== undefined;
        await expectSoon(CHANGES, "the edit on the other device", LIVE_MS, isThere);
        tablet.expectShown(entityId, { value: "live" });
      }),
  },
  "client-learns-what-is-refused": {
    title: "The client learns from one response which operations are refused",
    section: `${EXTENSION}: Trellis-Refused`,
    run: (run) =>
      run.withDevices(async (phone) => {
        const { maxPushOperations } = await run.server.limits();
        skipUnless(
          maxPushOperations >= REFUSED_BATCH,
          `The instance takes ${maxPushOperations} operations in a push, and this needs ${REFUSED_BATCH}`,
        );
        const { pushes } = await pushWithRefused(run, phone);
        skipUnless(
          phone.network.requests.some(({ refused }) => refused !== null),
          `The server lacks the header Trellis-Refused: the client found the refused operation by halving the batch, with ${pushes} pushes instead of 2`,
        );
        expectSame("POST /v1/push", "number of pushes", pushes, 2);
        const [{ reason } = { reason: "none" }] = phone.client.quarantine.list();
        expectSame("POST /v1/push", "the reason", reason, "id_reused");
      }),
  },
  "client-notices-a-put-back": {
    title: "A client whose cursor proves another history than the server's starts over",
    section: `${EXTENSION}: marks in cursors`,
    run: ({ newSetting, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const entityId = newSetting();
        await phone.stored(phone.client.create(entityId, { value: 1 }));
        await phone.sync();
        await phone.sync();
        const members = readCursorMembers(lastCursor(phone));
        skipUnless(
          members !== null,
          "The cursors of the server are not those of Trellis: whether they prove their history cannot be tested",
        );
        skipUnless(
          "mark" in members,
          "The server lacks marks in its cursors: a store that is rolled back to an earlier state and written to again goes unnoticed by devices that were ahead",
        );
        phone.network.disturb(once("/v1/pull", changeCursor({ mark: OTHER_MARK })));
        await phone.stored(phone.client.patch(entityId, { value: 2 }));
        const { recovered } = await phone.sync();
        expectSame("GET /v1/pull", "recoveryReason", recovered, "generation_changed");
        await tablet.sync();
        tablet.expectShown(entityId, { value: 2 });
      }),
  },
});

function lastCursor({ network }: TestClient): string {
  const cursors = network.requests.map(({ url }) => url.searchParams.get("cursor"));
  return cursors.findLast((cursor) => cursor !== null) ?? "";
}
