import { expectSame } from "../../expect.ts";
import { entityOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const operationsOfOtherDevicesAreAccepted: SyncCase = {
  id: "operations-of-other-devices-are-accepted",
  title: "A device may push what another device made, and every device sees it",
  section: "Trellis decision, sync service: a device may push operations another device made",
  async run(target) {
    await needsBatch(target, 2);
    const [device, other] = [await target.device(), await target.signIn()];
    const operation = freshOperation(target);
    const [receipt] = await device.store(operation, freshOperation(target));
    const [again] = await other.store(operation);
    expectSame("POST /v1/push by another device", "duplicate", again?.duplicate, true);
    const marker = await other.pull({ cursor: receipt?.cursor ?? "", limit: 1 });
    expectSame("GET /v1/pull by another device", "recoveryReason", marker.recoveryReason, "none");
    const entity = await entityOf(other, operation.document.entityId);
    expectSame(
      "GET /v1/snapshot",
      "lifecycleRevision",
      entity.lifecycleRevision,
      operation.revision,
    );
  },
};
