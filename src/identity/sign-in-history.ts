/** The history of sign-ins that a person sees: what was done from which browser, and what was refused. */
import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { readUserAgent } from "../rules/identity/read-user-agent.ts";
import { networkPrefix } from "./client-network.ts";
import type { IdentityRecords, NewSignIn, SignInBounds } from "./identity-records.ts";

/** A flood of refusals must not push sign-ins out, so each kind has its own bound. */
const BOUNDS: SignInBounds = { maxEach: 50, windowMs: HOUR_MS };
export const KEEP_SIGN_INS_MS = 90 * DAY_MS;

export interface SignInVisit extends Pick<NewSignIn, "purpose" | "method"> {
  readonly address: string;
  readonly userAgent: string | null;
}

export function noteAccepted(
  records: IdentityRecords,
  visit: SignInVisit,
  account: { readonly accountId: string; readonly isNew: boolean },
  now: number,
): Promise<void> {
  const { accountId, isNew } = account;
  return records.noteSignIn(accountId, describe(visit, "accepted", isNew, now), BOUNDS);
}

export interface RefusedAccount {
  /** Null when the name, or the passkey, is of no account. */
  readonly accountId: string | null;
  /** Whether the realm has one account at most. */
  readonly hasOneAccount: boolean;
}

/**
 * A realm of one account notes a refusal whichever name was tried, so that its owner learns of all of them; another
 * one notes it for the account that was tried. The statements are the same for a name without an account, so the time
 * that they take tells nothing.
 */
export async function noteRefused(
  records: IdentityRecords,
  visit: SignInVisit,
  { accountId, hasOneAccount }: RefusedAccount,
  now: number,
): Promise<void> {
  const ids = hasOneAccount
    ? (await records.listAccounts()).map((account) => account.accountId)
    : [accountId ?? NO_ACCOUNT];
  for (const id of ids) {
    await records.noteSignIn(id, describe(visit, "refused", false, now), BOUNDS);
  }
}

/** Ids are Base64URL. */
const NO_ACCOUNT = "~";

function describe(
  { purpose, method, address, userAgent }: SignInVisit,
  result: NewSignIn["result"],
  isNew: boolean,
  at: number,
): NewSignIn {
  const network = networkPrefix(address);
  return { result, purpose, method, isNew, network, at, ...readUserAgent(userAgent) };
}
