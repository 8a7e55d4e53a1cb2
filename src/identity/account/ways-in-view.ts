/** What a signed-in person sees of the ways in to the account, and the history of sign-ins. */
import type { SignInItem } from "../../contract/identity.ts";
import type { PasskeysView } from "../../contract/passkey-pages.ts";
import { isFresh, type BrowserSession } from "../browser-sessions.ts";
import type { IdentityRecords } from "../identity-records.ts";
import type { AccountContext } from "./account-context.ts";
import type { AccountRecords } from "./account-service.ts";

export interface WaysInView {
  /** False for an account that signs in with passkeys alone. */
  readonly hasPassword: boolean;
  /** Null where the service has no passkeys. */
  readonly passkeys: PasskeysView | null;
  /** Identifies a change of the password; its proof signs it. */
  readonly interaction: string;
  readonly purpose: string;
  /** The latest first. */
  readonly signIns: readonly SignInItem[];
}

export function createWaysInView<Records extends AccountRecords>({
  service: { purpose },
  passkeys,
  csrf,
  now,
}: AccountContext<Records>) {
  return {
    async viewWaysIn(
      records: Pick<IdentityRecords, "findAccount" | "listPasskeys" | "listSignIns">,
      session: BrowserSession,
    ): Promise<WaysInView> {
      const { accountId, username, sessionHash } = session;
      const stored = await records.listPasskeys(accountId);
      return {
        hasPassword: (await records.findAccount(username))?.hasPassword ?? true,
        passkeys: passkeys && {
          passkeys: stored.map(({ credentialId, name, createdAt, lastUsedAt }) => ({
            credentialId,
            name,
            createdAt,
            lastUsedAt,
          })),
          isFresh: isFresh(session, now()),
        },
        interaction: csrf.passwordInteraction(sessionHash),
        purpose,
        signIns: await records.listSignIns(accountId),
      };
    },
  };
}
