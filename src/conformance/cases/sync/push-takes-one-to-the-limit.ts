import { expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pushTakesOneToTheLimit: SyncCase = {
  id: "push-takes-one-to-the-limit",
  title: "A push of no operation or of more than the limit is invalid_request and stores nothing",
  section:
    "sync contract, Limits: operations per push; Trellis decision, sync service: no operation or too many",
  async run(target) {
    const device = await target.device();
    const { maxPushOperations } = await target.limits();
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const operations = Array.from({ length: maxPushOperations + 1 }, (_, index) =>
      createOperation({ deviceId, sequence: index + 1, entityId }),
    );
    expectError(await device.push([]), "invalid_request");
    expectError(await device.push(operations), "invalid_request");
    const receipts = await device.store(...operations.slice(0, maxPushOperations));
    const known = receipts.filter(({ duplicate }) => duplicate).length;
    expectSame("POST /v1/push of the limit, after one more was refused", "duplicates", known, 0);
  },
};
