import type { Operation } from "../../../contract/sync/operation.ts";
import { expectSame } from "../../expect.ts";
import { createOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const changedTellsWhetherARegisterMoved: SyncCase = {
  id: "changed-tells-whether-a-register-moved",
  title:
    "A receipt says changed when any register moved, also one that nobody sees, and not otherwise",
  section: "Trellis decision, sync service: changed",
  async run(target) {
    const device = await target.device();
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    const of = (
      sequence: number,
      kind: "create" | "patch",
      metadata: Record<string, unknown> = {},
    ) => createOperation({ deviceId, entityId, sequence, kind, metadata });
    const steps: [what: string, operation: Operation, changed: boolean][] = [
      ["a patch before its create", of(3, "patch"), true],
      ["the create", of(5, "create"), true],
      ["an older patch of a field that nobody set", of(2, "patch", { note: 1 }), true],
      ["a patch that is older in everything", of(1, "patch", { note: 0 }), false],
    ];
    for (const [what, operation, changed] of steps) {
      const [receipt] = await device.store(operation);
      expectSame(`POST /v1/push of ${what}`, "changed", receipt?.changed, changed);
    }
  },
};
