import { expectSame } from "../../expect.ts";
import { entityOf, valuesOf } from "../../sync/entities.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const greaterRevisionsWin: SyncCase = {
  id: "greater-revisions-win",
  title: "Whatever the order of arrival, the greater revision wins: sequence first, then device id",
  section: "Trellis decision, sync service: revision order; merge",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    const id = target.newId("device");
    const of = (entityId: string, deviceId: string, sequence: number, value: unknown) =>
      createOperation({ deviceId, entityId, sequence, payload: { value } });
    const late = target.newSetting();
    const [newer, older] = [of(late, `${id}-a`, 9, "newer"), of(late, `${id}-b`, 8, "older")];
    const receipts = await device.store(newer, older);
    expectSame("POST /v1/push of an older create", "changed", receipts[1]?.changed, false);
    const tied = target.newSetting();
    await device.store(of(tied, `${id}-z`, 5, "z"), of(tied, `${id}-Z`, 5, "Z"));
    const values = await Promise.all(
      [late, tied].map(async (entityId) =>
        valuesOf((await entityOf(device, entityId)).payloadFields),
      ),
    );
    expectSame("GET /v1/snapshot", "values", values, [{ value: "newer" }, { value: "z" }]);
  },
};
