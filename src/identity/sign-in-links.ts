/**
 * One-time links by which an operator lets a person on a new browser past the guesses of strangers. The
 * browser that uses one is a known browser from then on. A link is no credential: the password is needed
 * all the same.
 */
import type { RandomBytes } from "../rules/web-crypto.ts";
import type { IdentityRecords } from "./identity-records.ts";
import { introduceBrowser } from "./known-browsers.ts";
import type { SecurityLog } from "./security-log.ts";
import { consumeSecret, issueSecret, isSecret, type SecretKind } from "./one-time-secrets.ts";

/** Long enough to open the link on another device, and short for a link that lies in a chat. */
const LINKS: SecretKind = { purpose: "sign-in-link", lifetimeMs: 600_000, rememberMs: 0 };

export interface IssuedLink {
  readonly secret: string;
  readonly username: string;
  readonly expiresAt: number;
}

/** Call it in a transaction, with the name of an account that exists. */
export async function issueSignInLink(
  records: IdentityRecords,
  username: string,
  now: number,
  randomBytes: RandomBytes,
): Promise<IssuedLink> {
  const secret = await issueSecret(records, LINKS, username, now, randomBytes);
  await records.countSecurityEvent("sign-in-link-made", now);
  return { secret, username, expiresAt: now + LINKS.lifetimeMs };
}

export interface LinkUse {
  readonly link: string;
  readonly address: string;
  /** The value that the browser keeps, as it came; null without one. */
  readonly knownBrowser: string | null;
}

/**
 * Returns the value that the browser keeps from now on; null when the link was used, has expired or never
 * was one.
 */
export async function redeemSignInLink<Records extends { readonly identity: IdentityRecords }>(
  security: SecurityLog<Records>,
  { link, address, knownBrowser }: LinkUse,
  now: number,
  randomBytes: RandomBytes,
): Promise<string | null> {
  if (!isSecret(link)) return null;
  return security.transaction(async ({ identity }, note) => {
    const use = await consumeSecret(identity, LINKS, link, now);
    // The account may have been removed or renamed meanwhile.
    const account = use.kind === "consumed" ? await identity.findAccount(use.bound) : null;
    if (account === null) return null;
    await note("sign-in-link-used", address);
    return introduceBrowser(identity, knownBrowser, account.accountId, now, randomBytes);
  });
}
