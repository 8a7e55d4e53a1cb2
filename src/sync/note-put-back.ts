/**
 * A store that was put back together with its high-water mark is noticed by what its devices have. Each
 * put-back is noted once, in the store: whichever processes run, and however many devices find out.
 */
import type { NoteSecurityEvent } from "../identity/security-log.ts";
import { createHistoryName } from "./cursor.ts";
import type { DeviceSession, SyncRecords } from "./store.ts";

/**
 * By a cursor of a history that the store has lost. Every signed-in device can make one up, so it
 * changes nothing for the others.
 */
export async function noteLostCursor(
  { log }: SyncRecords,
  mark: string | null,
  address: string,
  note: NoteSecurityEvent,
): Promise<void> {
  const history = await log.readHistory();
  // Given out before the last put-back was noted, so it tells of that one.
  if (history !== null && mark?.startsWith(history) !== true) return;
  await log.nameHistory(createHistoryName());
  await note("store-put-back", address);
}

/**
 * By a refresh token that the store has not issued yet. It proves the put-back, so a new generation
 * begins: devices that were behind at the time of the copy cannot tell by their cursors, and push again
 * what the store has lost of theirs.
 */
export async function noteTokenAhead(
  { identity, log }: SyncRecords,
  { rotatedAt }: DeviceSession,
  address: string,
  note: NoteSecurityEvent,
): Promise<void> {
  const isNoted = (await identity.listSecurityCounts()).some(
    ({ kind, lastAt }) =>
      (kind === "store-put-back" || kind === "store-restored") && lastAt >= rotatedAt,
  );
  if (isNoted) return;
  await log.beginGeneration();
  await note("store-put-back", address);
}
