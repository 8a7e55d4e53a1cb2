import { expectSame, violate } from "../../expect.ts";
import { needsBatch } from "../../sync/needs.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const replaysAreDuplicates: SyncCase = {
  id: "replays-are-duplicates",
  title:
    "An operation that is pushed again is a duplicate with its first offset, in a batch of its own or with others",
  section: "Trellis decision, sync service: idempotency",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    const operation = freshOperation(target);
    const [first] = await device.store(operation);
    const [second] = await device.store(operation);
    const asked = "POST /v1/push, again";
    expectSame(asked, "duplicate", second?.duplicate, true);
    expectSame(asked, "changed", second?.changed, false);
    expectSame(asked, "offset", second?.offset, first?.offset);
    const twice = freshOperation(target);
    const [one, two] = await device.store(twice, twice);
    expectSame(asked, "duplicate in one batch", [one?.duplicate, two?.duplicate], [false, true]);
    expectSame(asked, "offset in one batch", two?.offset, one?.offset);
    const cursor = first?.cursor ?? "";
    const later = (await device.pullAll(cursor)).map(({ operationId }) => operationId);
    if (later.includes(operation.operationId)) {
      violate("GET /v1/pull", "a replayed operation once", "it again after its receipt");
    }
  },
};
