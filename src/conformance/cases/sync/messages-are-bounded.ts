import { expectError } from "../../sync/bodies.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const messagesAreBounded: SyncCase = {
  id: "messages-are-bounded",
  title: "A push in which everything is wrong is refused with a message of at most 512 characters",
  section:
    "sync contract, Errors: bounded public text; Trellis decision, sync service: invalid_sync_operation",
  async run(target) {
    const device = await target.device();
    const { maxPushOperations } = await target.limits();
    const kinds = [{ kind: "upsert" }, { operationId: "none" }, { changedFields: [] }, null];
    const batch = Array.from({ length: maxPushOperations }, (_, index) => {
      const change = kinds[index % kinds.length];
      return change === null ? null : { ...freshOperation(target), ...change };
    });
    expectError(await device.push(batch), "invalid_sync_operation");
  },
};
