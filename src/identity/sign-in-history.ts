/** The history of sign-ins that a person sees: what was done from which browser, and what was refused. */
import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { nameBrowser } from "../rules/identity/name-browser.ts";
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

/**
 * Notes a refusal for a realm of one account, whichever name was tried: so an attempt with the right name takes no
 * longer than others, and the owner learns of all of them.
 */
export async function noteRefused(
  records: IdentityRecords,
  visit: SignInVisit,
  now: number,
): Promise<void> {
  for (const { accountId } of await records.listAccounts()) {
    await records.noteSignIn(accountId, describe(visit, "refused", false, now), BOUNDS);
  }
}

function describe(
  { purpose, method, address, userAgent }: SignInVisit,
  outcome: NewSignIn["outcome"],
  isNew: boolean,
  at: number,
): NewSignIn {
  const network = networkPrefix(address);
  return { outcome, purpose, method, isNew, network, at, ...nameBrowser(userAgent) };
}
