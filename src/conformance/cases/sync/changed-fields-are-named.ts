import { createOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const changedFieldsAreNamed: SyncCase = {
  id: "changed-fields-are-named",
  title:
    "create and restore name every field, a patch at least one, and nobody a missing one or one twice",
  section: "Trellis decision, sync service: changedFields",
  async run(target) {
    const entityId = target.newSetting();
    const deviceId = target.newId("device");
    const of = (kind: "create" | "patch" | "restore", metadata: Record<string, unknown> = {}) =>
      createOperation({ deviceId, entityId, kind, metadata });
    await expectRefused(target, [
      { ...of("create"), changedFields: [] },
      { ...of("restore"), changedFields: [] },
      { ...of("create"), changedFields: ["value", "other"] },
      { ...of("create"), changedFields: ["value", "value"] },
      { ...of("create"), changedMetadataFields: ["color"] },
      { ...of("create", { color: "red" }), changedMetadataFields: [] },
      { ...of("patch"), changedFields: [] },
      { ...of("patch"), changedFields: ["other"] },
      { ...of("patch"), changedMetadataFields: ["entityId"] },
    ]);
  },
};
