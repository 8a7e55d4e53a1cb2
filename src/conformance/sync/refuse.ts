/** Operations that break one rule each, and must all be refused. */
import type { Operation } from "../../contract/sync/operation.ts";
import { NotTestable } from "../case.ts";
import { expectEach } from "../expect.ts";
import { expectError } from "./bodies.ts";
import { createOperation, payloadOf, type Members } from "./operations.ts";
import type { SyncTarget } from "./target.ts";

/** A valid operation of its own device, for a case to spoil. */
export function freshOperation(target: SyncTarget, entityId = target.newSetting()): Operation {
  return createOperation({ deviceId: target.newId("device"), entityId });
}

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

/** Only the profile of habits has rules about types and payloads. */
export function needsHabits(target: SyncTarget): void {
  if (target.input.profile !== "open") return;
  throw new NotTestable("The instance has the open profile, which takes any type and payload");
}

/** An instance may take fewer operations in a push than a case needs. */
export async function needsBatch(target: SyncTarget, size: number): Promise<void> {
  const { maxPushOperations } = await target.limits();
  if (maxPushOperations >= size) return;
  throw new NotTestable(
    `The instance takes ${maxPushOperations} operations in a push, and this needs ${size}`,
  );
}
