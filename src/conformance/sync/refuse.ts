/** Operations that break one rule each, and must all be refused. */
import { expectEach } from "../expect.ts";
import { expectError } from "./bodies.ts";
import { createOperation, payloadOf, type Members } from "./operations.ts";
import type { SyncTarget } from "./target.ts";

/** Each is pushed alone, so that none hides behind another. */
export async function expectRefused(
  target: SyncTarget,
  operations: readonly unknown[],
): Promise<void> {
  const device = await target.device();
  await expectEach(operations, async (operation) => {
    expectError(await device.push([operation]), "invalid_sync_operation");
  });
}

/** The payload of an entity's type, with one member changed at a time. */
export async function expectRefusedPayloads(
  target: SyncTarget,
  entityId: string,
  changes: readonly Members[],
): Promise<void> {
  const operations = changes.map((change) => {
    const payload = { ...payloadOf(entityId), ...change };
    // A member that is undefined is absent, and so must be its name.
    const changedFields = Object.entries(payload).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    return createOperation({
      deviceId: target.newId("device"),
      entityId,
      payload,
      changedFields,
    });
  });
  await expectRefused(target, operations);
}
