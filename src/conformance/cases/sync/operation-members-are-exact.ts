import { freshOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const operationMembersAreExact: SyncCase = {
  id: "operation-members-are-exact",
  title: "An operation has exactly its members, each of its type",
  section: "Trellis decision, sync service: operation",
  async run(target) {
    const valid = freshOperation(target);
    const missing = Object.keys(valid).map((name) =>
      Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)),
    );
    const { document, revision } = valid;
    const changed = [
      { extra: 1 },
      { protocolVersion: 2 },
      { protocolVersion: "1" },
      { operationId: 1 },
      { kind: "upsert" },
      { kind: "Create" },
      { revision: null },
      { revision: { ...revision, extra: 1 } },
      { revision: { sequence: 1 } },
      { document: [] },
      { document: { ...document, schemaVersion: 2 } },
      { document: { ...document, deleted: "false" } },
      { document: { ...document, entityId: 1 } },
      { document: { ...document, payload: [] } },
      { document: { ...document, payload: null } },
      { changedFields: "value" },
      { changedFields: [1] },
      { changedMetadataFields: null },
    ].map((change) => ({ ...valid, ...change }));
    await expectRefused(target, [...missing, ...changed, null, [], "operation", 1]);
  },
};
