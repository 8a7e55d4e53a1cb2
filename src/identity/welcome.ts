/** What a service does for the page of invitations and reset links. */
import type { WelcomeBody, WelcomeOpened, WelcomeUsed } from "../contract/welcome.ts";
import { findAccountLink, redeemAccountLink, revokeInvitations } from "./account-links.ts";
import type { AccountLink, RedeemResult } from "./account-links.ts";
import type { Accounts } from "./accounts.ts";
import type { IdentityRecords } from "./identity-records.ts";
import { readWireVerifier } from "./password-verifier.ts";
import type { NoteSecurityEvent, SecurityLog } from "./security-log.ts";

export interface WelcomeSettings<Records> {
  readonly security: SecurityLog<Records>;
  readonly accounts: Accounts;
  /** Whether there is one account at most: then an invitation is void once it exists. */
  readonly hasOneAccount: boolean;
  now(): number;
}

export type Redeemed = Extract<RedeemResult, { kind: "redeemed" }>;

export type WelcomeResult<Grant> =
  | { readonly kind: "answered"; readonly body: WelcomeOpened | WelcomeUsed }
  | { readonly kind: "granted"; readonly username: string; readonly grant: Grant }
  /** The link cannot be used. */
  | { readonly kind: "refused" }
  /** No page sends such a request. */
  | { readonly kind: "invalid" };

export function createWelcome<Records extends { readonly identity: IdentityRecords }>({
  security,
  accounts,
  hasOneAccount,
  now,
}: WelcomeSettings<Records>) {
  /**
   * `grant` ends what was signed in before a reset, and opens a session, in the transaction that uses the link
   * up.
   */
  return async <Grant>(
    body: WelcomeBody,
    address: string,
    grant: (records: Records, redeemed: Redeemed) => Promise<Grant>,
  ): Promise<WelcomeResult<Grant>> => {
    if (body.action === "open") {
      const link = await security.transaction(({ identity }) =>
        findAccountLink(identity, body.link, now()),
      );
      return link === null ? REFUSED : { kind: "answered", body: describe(link) };
    }
    const verifier = readWireVerifier(body.verifier);
    if (verifier === null) return { kind: "invalid" };
    return security.transaction(async (records, note): Promise<WelcomeResult<Grant>> => {
      const { identity } = records;
      const result = await redeemAccountLink(identity, accounts, { ...body, verifier }, now());
      switch (result.kind) {
        case "refused":
          return REFUSED;
        case "invalid-username":
          return { kind: "invalid" };
        case "account-exists":
          return hasOneAccount ? REFUSED : { kind: "answered", body: { kind: "username-taken" } };
        case "redeemed":
          if (hasOneAccount) await revokeInvitations(identity, now());
          await noteUse(result.link, note, address);
          return {
            kind: "granted",
            username: result.account.username,
            grant: await grant(records, result),
          };
      }
    });
  };
}

const REFUSED = { kind: "refused" } as const;

function describe(link: AccountLink): WelcomeOpened {
  const { kind, username } = link;
  return kind === "invitation"
    ? { kind, username }
    : { kind, username: link.username, revokesApps: link.revokesApps };
}

async function noteUse(
  { kind }: AccountLink,
  note: NoteSecurityEvent,
  address: string,
): Promise<void> {
  if (kind === "invitation") return note("invitation-used", address);
  await note("reset-link-used", address);
  await note("password-changed", address);
}
