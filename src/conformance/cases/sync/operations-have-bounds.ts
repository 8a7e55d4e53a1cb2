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
    const ofBytes = (bytes: number) => {
      const empty = of({ one: half, two: "" });
      const rest = bytes - JSON.stringify(empty).length;
      return of({ one: half, two: long(rest) });
    };
    const hasRoom = maxBodyBytes > MAX_OPERATION_BYTES + 1024;
    const tooMuch = [
      of({ deep: nested(MAX_NESTING - 1) }),
      of(fields(MAX_FIELDS + 1)),
      ...(hasRoom ? [of({ text: `${half}a` }), ofBytes(MAX_OPERATION_BYTES + 1)] : []),
    ];
    await expectRefused(target, tooMuch);
    const device = await target.device();
    await device.store(of({ deep: nested(MAX_NESTING - 2) }));
    const other = createOperation({
      deviceId,
      sequence: 2,
      entityId,
      metadata: { ...fields(MAX_FIELDS - 1), text: hasRoom ? half : "" },
    });
    await device.store(other);
    if (hasRoom) {
      // A sequence of one digit like the others, so that the length stays what it is.
      const largest = ofBytes(MAX_OPERATION_BYTES);
      const revision = { deviceId, sequence: 3 };
      await device.store({ ...largest, operationId: `operation/${deviceId}/3`, revision });
    }
  },
};
