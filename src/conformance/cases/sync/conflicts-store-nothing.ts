import { expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { needsBatch } from "../../sync/needs.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const conflictsStoreNothing: SyncCase = {
  id: "conflicts-store-nothing",
  title: "Nothing of a push with a conflict is stored, neither before nor after it",
  section: "Trellis decision, sync service: operation_conflict, nothing of the push is stored",
  async run(target) {
    await needsBatch(target, 3);
    const device = await target.device();
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const make = (value: unknown, sequence: number) =>
      createOperation({ deviceId, sequence, entityId, payload: { value } });
    await device.store(make("first", 1));
    const [before, after] = [make("before", 2), make("after", 3)];
    expectError(await device.push([before, make("other", 1), after]), "operation_conflict");
    const receipts = await device.store(before, after);
    const known = receipts.map(({ duplicate }) => duplicate);
    expectSame("POST /v1/push after the conflict", "duplicate", known, [false, false]);
  },
};
