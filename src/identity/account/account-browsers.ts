/** The browsers that are signed in to an account: a person sees them, and signs one out. */
import type { SignedInBrowser } from "../../contract/identity.ts";
import type { BrowserSession, BrowserSessionRecords } from "../browser-sessions.ts";
import type { AccountContext } from "./account-context.ts";
import type { AccountRecords, AccountRequest } from "./account-service.ts";

export function createAccountBrowsers<Records extends AccountRecords>({
  service: { sessionsOf, idleSeconds },
  security,
  now,
}: AccountContext<Records>) {
  return {
    async listBrowsers(
      sessions: Pick<BrowserSessionRecords, "list">,
      { accountId, sessionHash }: BrowserSession,
    ): Promise<SignedInBrowser[]> {
      return (await sessions.list(accountId, now())).map((session) => ({
        id: browserId(session),
        browser: session.browser,
        system: session.system,
        isThis: session.sessionHash === sessionHash,
        createdAt: session.createdAt,
        lastUsedAt: session.idleExpiresAt - idleSeconds * 1000,
      }));
    },

    /** False when the account has no such browser. */
    signOutBrowser(
      { accountId }: BrowserSession,
      id: string | null,
      request: Pick<AccountRequest, "clientAddress">,
    ): Promise<boolean> {
      return security.transaction(async (records, note) => {
        const sessions = sessionsOf(records);
        const live = await sessions.list(accountId, now());
        const found = live.find((session) => browserId(session) === id);
        if (found === undefined || !(await sessions.close(found.sessionHash))) return false;
        await note("device-signed-out", request.clientAddress());
        return true;
      });
    },
  };
}

/** A part of the session's hash, which opens nothing. */
function browserId({ sessionHash }: Pick<BrowserSession, "sessionHash">): string {
  return sessionHash.slice(0, 16);
}
