/** What a snapshot says about one entity. */
import type { SnapshotEntity } from "../../contract/sync/operation.ts";
import { violate } from "../expect.ts";
import type { TestDevice } from "./device.ts";

export async function entityOf(device: TestDevice, entityId: string): Promise<SnapshotEntity> {
  const { entities } = await device.snapshot();
  const found = entities.find((entity) => entity.entityId === entityId);
  return found ?? violate("GET /v1/snapshot", `the entity ${entityId}`, "none");
}

/** The values of the registers that a snapshot carries. */
export function valuesOf(registers: SnapshotEntity["payloadFields"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(registers).map(([name, { value }]) => [name, value]));
}
