import {
  MAX_NESTING,
  MAX_FIELDS,
  MAX_STRING_CHARACTERS,
  MAX_OPERATION_BYTES,
} from "../../../contract/sync/operation-limits.ts";
import { createOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

export const operationsHaveBounds: SyncCase = {
  id: "operations-have-bounds",
  title: "More than 64 KiB, 16 levels, 256 fields or 32,768 characters are refused",
  section: "Trellis decision, sync service: bounds",
  async run(target) {
    const { maxBodyBytes } = await target.limits();
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const of = (metadata: Record<string, unknown>) =>
      createOperation({ deviceId, entityId, metadata });
    // The operation, its document and the member that is named are three levels.
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]));
    const long = (length: number) => "a".repeat(length);
    const half = long(MAX_STRING_CHARACTERS);
    const large = { one: half, two: half };
    const tooMuch = [
      of({ deep: nested(MAX_NESTING - 1) }),
      of(fields(MAX_FIELDS + 1)),
      ...(maxBodyBytes > MAX_OPERATION_BYTES + 1024 ? [of({ text: `${half}a` }), of(large)] : []),
    ];
    await expectRefused(target, tooMuch);
    const device = await target.device();
    await device.store(of({ deep: nested(MAX_NESTING - 2) }));
    const other = createOperation({
      deviceId,
      sequence: 2,
      entityId,
      metadata: { ...fields(MAX_FIELDS - 1), text: maxBodyBytes > MAX_OPERATION_BYTES ? half : "" },
    });
    await device.store(other);
  },
};
