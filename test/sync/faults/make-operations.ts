/** Random operations of a device. */
import type { SeededRandom } from "../../fixtures/seeded-random.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";

/** Devices share entities, so that their operations have to be merged. */
export function createOperationMaker(deviceId: string, { below, pick }: SeededRandom) {
  let sequence = 0;
  const make = (): string => {
    const key = `k${below(40)}`;
    const kind = pick(["create", "create", "patch", "delete", "restore"] as const);
    sequence += 1 + below(3);
    return JSON.stringify(
      createOperation({
        kind,
        deviceId,
        sequence,
        entityId: `setting/${key}`,
        payload: { value: `${deviceId}-${sequence}` },
        metadata: kind === "patch" ? {} : { note: below(100) },
      }),
    );
  };
  return (count: number): string[] => Array.from({ length: count }, make);
}
