/** Edits and operations that the cases of sync clients make up, of the profile `habits`. */
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { buildOperation, type OperationContent } from "../../../src/rules/sync/operation.ts";
import { payloadOf } from "../operations.ts";
import type { PlayedAccount } from "./played-account.ts";
import type { DeviceEdit } from "./task.ts";

export const THEME = "setting/theme";
export const HABIT = "habit/water";
export const HABIT_PAYLOAD = payloadOf(HABIT);

export function createSetting(value: unknown, entityId = THEME): DeviceEdit {
  return { kind: "create", entityId, payload: { value } };
}

export function patchSetting(value: unknown, entityId = THEME): DeviceEdit {
  return { kind: "patch", entityId, payload: { value } };
}

/** An operation of a device that has no driver. */
export function byOther(sequence: number, content: Omit<OperationContent, "revision">): Operation {
  return buildOperation({ ...content, revision: { deviceId: "another-device", sequence } });
}

/** The entity of each operation in the log. */
export function entityIdsIn({ log }: PlayedAccount): string[] {
  return log.map(({ document }) => document.entityId);
}
