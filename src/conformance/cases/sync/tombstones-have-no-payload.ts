import { createOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const tombstonesHaveNoPayload: SyncCase = {
  id: "tombstones-have-no-payload",
  title: "A delete is a tombstone without payload, and every other kind a live document with one",
  section: "Trellis decision, sync service: live documents and tombstones",
  async run(target) {
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    const live = createOperation({ deviceId, entityId });
    const tomb = createOperation({ deviceId, entityId, kind: "delete" });
    const { payload: _payload, ...bare } = live.document;
    await expectRefused(target, [
      { ...live, kind: "delete" },
      { ...tomb, kind: "create" },
      { ...tomb, kind: "patch" },
      { ...tomb, kind: "restore" },
      { ...tomb, document: { ...tomb.document, payload: {} } },
      { ...tomb, document: { ...tomb.document, deleted: false } },
      { ...live, document: { ...live.document, deleted: true } },
      { ...live, document: bare, changedFields: [] },
    ]);
  },
};
