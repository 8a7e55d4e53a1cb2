/** What a case needs of the instance under test. */
import { NotTestable } from "../case.ts";
import type { SyncTarget } from "./target.ts";

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
