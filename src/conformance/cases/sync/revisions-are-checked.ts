import { MAX_SEQUENCE } from "../../../contract/sync/operation-limits.ts";
import { freshOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const revisionsAreChecked: SyncCase = {
  id: "revisions-are-checked",
  title: "A revision is a device id and a sequence from 1 to 2^40, an integer in plain digits",
  section: "Trellis decision, sync service: revision",
  async run(target) {
    const withRevision = (sequence: unknown, deviceId: unknown = target.newId("device")) => ({
      ...freshOperation(target),
      operationId: `operation/${String(deviceId)}/${String(sequence)}`,
      revision: { deviceId, sequence },
    });
    const sequences = [0, -1, 1.5, MAX_SEQUENCE + 1, 2 ** 53, "1", null];
    const deviceIds = ["", "a/b", "a b", "d".repeat(129), "\u00e4", 1, null];
    await expectRefused(target, [
      ...sequences.map((sequence) => withRevision(sequence)),
      ...deviceIds.map((deviceId) => withRevision(1, deviceId)),
    ]);
  },
};
