import { expectError } from "../../sync/bodies.ts";
import { JSON_BODY } from "../../sync/device.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const memberNamesAreGivenOnce: SyncCase = {
  id: "member-names-are-given-once",
  title:
    "An object with the same member twice is refused, because readers differ in which they take",
  section: "sync contract, General request rules 2; Trellis decision, sync service: operation",
  async run(target) {
    const device = await target.device();
    const text = JSON.stringify(freshOperation(target)).replace('"value":1', '"value":1,"value":2');
    const headers = { ...JSON_BODY, ...device.bearer };
    const answer = await target.api.send("POST", "/v1/push", headers, `{"operations":[${text}]}`);
    expectError(answer, "invalid_sync_operation");
  },
};
