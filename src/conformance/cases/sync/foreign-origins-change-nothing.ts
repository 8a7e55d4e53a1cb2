import { expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { expectAlive } from "../../sync/device.ts";
import { createOperation } from "../../sync/operations.ts";
import { FOREIGN_ORIGIN } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const foreignOriginsChangeNothing: SyncCase = {
  id: "foreign-origins-change-nothing",
  title:
    "A push from another origin stores nothing, and a revocation ends nothing, although the token is right",
  section: "Trellis decision, sync service: cors_denied before anything happens",
  async run(target) {
    const device = await target.signIn();
    const entityId = target.newSetting();
    const operation = createOperation({ deviceId: device.deviceId, entityId });
    const foreign = { Origin: FOREIGN_ORIGIN };
    expectError(await device.post("/v1/push", { operations: [operation] }, foreign), "cors_denied");
    expectError(await device.post("/v1/revoke", {}, foreign), "cors_denied");
    const gone = await target.api.send("DELETE", "/v1/device", { ...device.bearer, ...foreign });
    expectError(gone, "cors_denied");
    await expectAlive(device);
    const [receipt] = await device.store(operation);
    expectSame("POST /v1/push", "duplicate", receipt?.duplicate, false);
  },
};
