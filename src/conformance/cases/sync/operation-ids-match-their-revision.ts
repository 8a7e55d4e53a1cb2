import { freshOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const operationIdsMatchTheirRevision: SyncCase = {
  id: "operation-ids-match-their-revision",
  title: "An operationId is operation/<deviceId>/<sequence> of the operation's own revision",
  section: "Trellis decision, sync service: operationId",
  async run(target) {
    const ids = (deviceId: string) => [
      "",
      `operation/${deviceId}`,
      `operation/${deviceId}/2`,
      `operation/${deviceId}/01`,
      `operation/${deviceId}/1/`,
      `operation/other/1`,
      `Operation/${deviceId}/1`,
      `${deviceId}/1`,
    ];
    const valid = freshOperation(target);
    await expectRefused(
      target,
      ids(valid.revision.deviceId).map((operationId) => ({ ...valid, operationId })),
    );
  },
};
