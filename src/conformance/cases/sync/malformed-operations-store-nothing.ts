import { expectEach, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { needsBatch } from "../../sync/needs.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const malformedOperationsStoreNothing: SyncCase = {
  id: "malformed-operations-store-nothing",
  title: "One malformed operation, wherever it stands, keeps the whole push from being stored",
  section: "sync contract, States and transitions 4; POST /v1/push",
  async run(target) {
    await needsBatch(target, 3);
    const device = await target.device();
    await expectEach([0, 1, 2], async (place) => {
      const good = [freshOperation(target), freshOperation(target)];
      const batch: unknown[] = good.toSpliced(place, 0, {
        ...freshOperation(target),
        kind: "upsert",
      } as never);
      expectError(await device.push(batch), "invalid_sync_operation");
      const receipts = await device.store(...good);
      const known = receipts.map(({ duplicate }) => duplicate);
      expectSame("POST /v1/push after the refusal", "duplicate", known, [false, false]);
    });
  },
};
