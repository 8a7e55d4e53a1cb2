/**
 * A store that was rolled back together with its high-water mark is noticed by what its devices have. Each
 * rollback is noted once, in the store: whichever processes run, and however many devices find out.
 */
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import { createHistoryName } from "../log/cursor.ts";
import type { DeviceSession, SyncRecords } from "../store.ts";

/**
 * Notes a rollback that a cursor of a lost history shows. Every signed-in device can make such a
 * cursor up, so the note changes nothing for other devices.
 */
export async function noteLostCursor(
  { log }: SyncRecords,
  mark: string | null,
  address: string,
  note: NoteSecurityEvent,
): Promise<void> {
  const history = await log.readHistory();
  // A cursor from before the last rollback was noted tells of that rollback.
  if (history !== null && mark?.startsWith(history) !== true) return;
  await log.nameHistory(createHistoryName());
  await note("store-rolled-back", address);
}

/**
 * Notes a rollback that is proved by a refresh token which the store has not issued yet. A new
 * generation begins: devices that were behind at the time of the copy cannot tell by their cursors,
 * and push again what the store has lost of theirs.
 */
export async function noteTokenAhead(
  { identity, log }: SyncRecords,
  { rotatedAt }: DeviceSession,
  address: string,
  note: NoteSecurityEvent,
): Promise<void> {
  const isNoted = (await identity.listSecurityCounts()).some(
    ({ kind, lastAt }) =>
      (kind === "store-rolled-back" || kind === "store-restored") && lastAt >= rotatedAt,
  );
  if (isNoted) return;
  await log.beginGeneration();
  await note("store-rolled-back", address);
}
