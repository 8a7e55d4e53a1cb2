import type { BrowserSession } from "../../identity/browser-sessions.ts";
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import type { SyncRecords } from "../store.ts";
import type { OwnerDependencies } from "./owner-dependencies.ts";

/** Null, without a change, when the session has ended since it was found: by a new password, for example. */
export function changeInSession<T>(
  { security, now }: Pick<OwnerDependencies, "security" | "now">,
  { sessionHash }: Pick<BrowserSession, "sessionHash">,
  change: (records: SyncRecords, note: NoteSecurityEvent) => Promise<T>,
): Promise<T | null> {
  return security.transaction(async (records, note) =>
    (await records.browserSessions.isLive(sessionHash, now())) ? change(records, note) : null,
  );
}
