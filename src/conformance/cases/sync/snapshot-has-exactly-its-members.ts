import { expectSame } from "../../expect.ts";
import { needsBatch } from "../../sync/needs.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const snapshotHasExactlyItsMembers: SyncCase = {
  id: "snapshot-has-exactly-its-members",
  title: "A snapshot has exactly its members, and its entities stand in the order of their ids",
  section: "Trellis decision, sync service: GET /v1/snapshot",
  async run(target) {
    await needsBatch(target, 2);
    const device = await target.device();
    await device.store(freshOperation(target), freshOperation(target, target.newHabit()));
    const { entities } = await device.snapshot();
    const ids = entities.map(({ entityId }) => entityId);
    expectSame("GET /v1/snapshot", "entity ids in order", ids, ids.toSorted());
    expectSame("GET /v1/snapshot", "repeated entity ids", ids.length - new Set(ids).size, 0);
  },
};
