/** Removes every passkey of an account, for a person who may have lost control of it. */
import type { IdentityRecords } from "../identity-records.ts";
import type { NoteSecurityEvent } from "../security-log.ts";

export async function removeAllPasskeys(
  records: IdentityRecords,
  accountId: string,
  note: NoteSecurityEvent,
  address: string,
): Promise<void> {
  const removed = await records.removePasskeys(accountId);
  if (removed > 0) await note("passkey-removed", address);
}
