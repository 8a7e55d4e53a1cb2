import type { Operation } from "../../../contract/sync/operation.ts";
import { expectSame, violate } from "../../expect.ts";
import { readCursor } from "../../sync/cursor.ts";
import { createOperation, freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pullPagesReachTheHead: SyncCase = {
  id: "pull-pages-reach-the-head",
  title: "Page after page every operation comes once and in order, until the cursor is at the head",
  section: "sync contract, GET /v1/pull; Trellis decision, sync service: more pages",
  async run(target) {
    const device = await target.device();
    const deviceId = target.newId("device");
    const [marker] = await device.store(freshOperation(target));
    const operations = Array.from({ length: 9 }, (_, index) =>
      createOperation({ deviceId, sequence: index + 1, entityId: target.newSetting() }),
    );
    const receipts = [];
    for (const operation of operations) receipts.push(...(await device.store(operation)));
    const asked = "GET /v1/pull, two at a time";
    let cursor = marker?.cursor ?? "";
    const seen: Operation[] = [];
    for (let count = 0; ; count++) {
      const page = await device.pull({ cursor, limit: 2 });
      if (page.operations.length > 2)
        violate(asked, "two operations", String(page.operations.length));
      seen.push(...(page.operations as Operation[]));
      const { offset } = readCursor(asked, page.cursor);
      if (offset > page.headOffset) violate(asked, "a cursor up to the head", String(offset));
      if (offset === page.headOffset) break;
      if (page.cursor === cursor || count > 500)
        violate(asked, "a page further", "the same cursor");
      cursor = page.cursor;
    }
    const mine = seen.filter(({ revision }) => revision.deviceId === deviceId);
    expectSame(asked, "operations", mine, operations);
    const last = receipts.at(-1)?.cursor ?? "";
    const rest = (await device.pullAll(last)).filter(
      ({ revision }) => revision.deviceId === deviceId,
    );
    expectSame("GET /v1/pull after the last receipt", "operations", rest, []);
  },
};
