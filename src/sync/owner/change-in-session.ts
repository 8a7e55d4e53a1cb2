import type { SignInPurpose } from "../../contract/identity.ts";
import type { RequestContext } from "../../http/request.ts";
import type { BrowserSession } from "../../identity/browser-sessions.ts";
import type { IdentityRecords } from "../../identity/identity-records.ts";
import type { NoteSecurityEvent } from "../../identity/security-log.ts";
import { noteAccepted } from "../../identity/sign-in-history.ts";
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

/** The owner reads of a change of the ways in among the sign-ins. */
export function noteInHistory(
  identity: IdentityRecords,
  { accountId }: Pick<BrowserSession, "accountId">,
  purpose: SignInPurpose,
  context: RequestContext,
  now: number,
): Promise<void> {
  const address = context.clientAddress();
  const userAgent = context.header("user-agent");
  const visit = { purpose, method: "password", address, userAgent } as const;
  return noteAccepted(identity, visit, { accountId, isNew: false }, now);
}
