import { DEFAULT_PULL_LIMIT } from "../../../contract/sync/values.ts";
import { expectSame } from "../../expect.ts";
import { createOperation, freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pullHasADefaultLimit: SyncCase = {
  id: "pull-has-a-default-limit",
  title: "Without a limit a page has 100 operations, or less where the instance allows less",
  section: "Trellis decision, sync service: limit, default 100",
  async run(target) {
    const device = await target.device();
    const limits = await target.limits();
    const size = Math.min(DEFAULT_PULL_LIMIT, limits.maxPullOperations);
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const [marker] = await device.store(freshOperation(target));
    for (let stored = 0; stored <= size; stored += limits.maxPushOperations) {
      const operations = Array.from({ length: limits.maxPushOperations }, (_, index) =>
        createOperation({ deviceId, sequence: stored + index + 1, entityId }),
      );
      await device.store(...operations);
    }
    const page = await device.pull({ cursor: marker?.cursor ?? "" });
    expectSame(
      "GET /v1/pull without a limit",
      "number of operations",
      page.operations.length,
      size,
    );
  },
};
