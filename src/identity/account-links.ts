/**
 * Links by which an operator invites a person to an account, or lets a person who forgot the password set
 * another one. A link is a credential: the store has only its hash, and it is used up in the transaction that
 * grants, so that a request which fails leaves it as it was.
 */
import { DAY_MS } from "../contract/durations.ts";
import { ACCOUNT_LINK_DAYS } from "../contract/welcome.ts";
import type { PasswordVerifier } from "../rules/identity/scram.ts";
import type { RandomBytes } from "../rules/web-crypto.ts";
import type { Account, Accounts } from "./accounts.ts";
import type { IdentityRecords, SecretRecord } from "./identity-records.ts";
import { hashSecret, issueSecret, isSecret, type SecretKind } from "./one-time-secrets.ts";

const LIFETIME = { lifetimeMs: ACCOUNT_LINK_DAYS * DAY_MS, rememberMs: 0 };
const INVITATIONS: SecretKind = { purpose: "invitation", ...LIFETIME };
const RESET_LINKS: SecretKind = { purpose: "reset-link", ...LIFETIME };

export interface Invited {
  /** The id that the account will have: a passkey is made for it before the account is there. */
  readonly accountId: string;
  /** The name that the person is offered; null for none. */
  readonly username: string | null;
  /** The time zone of the account, in services that have one. */
  readonly timeZone: string | null;
}

interface ResetBinding {
  readonly accountId: string;
  /** A password that was set since makes the link void. */
  readonly passwordChangedAt: number;
  readonly revokesApps: boolean;
}

interface LinkRecord {
  readonly hash: string;
  readonly expiresAt: number;
}

export type AccountLink = LinkRecord &
  (
    | ({ readonly kind: "invitation" } & Invited)
    | {
        readonly kind: "reset";
        readonly accountId: string;
        readonly username: string;
        readonly revokesApps: boolean;
      }
  );

export interface IssuedAccountLink {
  readonly secret: string;
  readonly id: string;
  readonly username: string | null;
  readonly expiresAt: number;
  /** Whether an earlier link was revoked for it. */
  readonly isReplacement: boolean;
}

/** The caller has revoked those that it replaces, which is one reading of all links for a whole class. */
export async function issueInvitation(
  records: IdentityRecords,
  { accountId, username, timeZone }: Invited,
  isReplacement: boolean,
  now: number,
  randomBytes: RandomBytes,
): Promise<IssuedAccountLink> {
  const bound: Invited = { accountId, username, timeZone };
  const secret = await issueSecret(records, INVITATIONS, JSON.stringify(bound), now, randomBytes);
  await records.countSecurityEvent("invitation-made", now);
  return describeIssued(secret, username, now, isReplacement);
}

/** Replaces the earlier links of the account. */
export async function issueResetLink(
  records: IdentityRecords,
  { accountId, username, passwordChangedAt }: Account,
  revokesApps: boolean,
  now: number,
  randomBytes: RandomBytes,
): Promise<IssuedAccountLink> {
  const replaced = await removeLinks(
    records,
    (link) => link.kind === "reset" && link.accountId === accountId,
    now,
  );
  const bound: ResetBinding = { accountId, passwordChangedAt, revokesApps };
  const secret = await issueSecret(records, RESET_LINKS, JSON.stringify(bound), now, randomBytes);
  await records.countSecurityEvent("reset-link-made", now);
  return describeIssued(secret, username, now, replaced.length > 0);
}

function describeIssued(
  secret: string,
  username: string | null,
  now: number,
  isReplacement: boolean,
): IssuedAccountLink {
  const id = accountLinkId({ hash: hashSecret(secret) });
  return { secret, id, username, expiresAt: now + LIFETIME.lifetimeMs, isReplacement };
}

/** Names a link to its operator; the secret cannot be found from it. */
export function accountLinkId({ hash }: Pick<LinkRecord, "hash">): string {
  return hash.slice(0, 10);
}

/** Null when the link was used, revoked or replaced, has expired, or never was one. */
export async function findAccountLink(
  records: IdentityRecords,
  link: string,
  now: number,
): Promise<AccountLink | null> {
  if (!isSecret(link)) return null;
  const hash = hashSecret(link);
  const invitation = await records.findSecret(hash, INVITATIONS.purpose);
  const secret = invitation ?? (await records.findSecret(hash, RESET_LINKS.purpose));
  return secret === null ? null : readLink(records, secret, now);
}

/** Lists the links that can be used, the first to expire first. */
export async function listAccountLinks(
  records: IdentityRecords,
  now: number,
): Promise<AccountLink[]> {
  const links: AccountLink[] = [];
  for (const { purpose } of [INVITATIONS, RESET_LINKS]) {
    for (const secret of await records.listSecrets(purpose)) {
      const link = await readLink(records, secret, now);
      if (link !== null) links.push(link);
    }
  }
  return links.toSorted((a, b) => a.expiresAt - b.expiresAt);
}

async function readLink(
  records: IdentityRecords,
  { hash, purpose, bound, expiresAt }: SecretRecord,
  now: number,
): Promise<AccountLink | null> {
  if (now >= expiresAt) return null;
  if (purpose === INVITATIONS.purpose) {
    return { kind: "invitation", hash, expiresAt, ...(JSON.parse(bound) as Invited) };
  }
  const { accountId, passwordChangedAt, revokesApps } = JSON.parse(bound) as ResetBinding;
  const account = (await records.listAccounts()).find((known) => known.accountId === accountId);
  if (account?.passwordChangedAt !== passwordChangedAt) return null;
  const { username } = account;
  return { kind: "reset", hash, expiresAt, accountId, username, revokesApps };
}

/** Revokes the link with this id, or all. Returns those that there were. */
export function revokeAccountLinks(
  records: IdentityRecords,
  id: string | null,
  now: number,
): Promise<AccountLink[]> {
  return removeLinks(records, (link) => id === null || accountLinkId(link) === id, now);
}

/**
 * Revokes the invitations that offer one of the names; all without names, where an account or another
 * invitation makes the earlier ones void. Returns those that there were.
 */
export function revokeInvitations(
  records: IdentityRecords,
  now: number,
  usernames?: ReadonlySet<string | null>,
): Promise<AccountLink[]> {
  return removeLinks(
    records,
    ({ kind, username }) =>
      kind === "invitation" && (usernames === undefined || usernames.has(username)),
    now,
  );
}

async function removeLinks(
  records: IdentityRecords,
  isMeant: (link: AccountLink) => boolean,
  now: number,
): Promise<AccountLink[]> {
  const removed = (await listAccountLinks(records, now)).filter(isMeant);
  for (const link of removed) await removeLink(records, link);
  return removed;
}

async function removeLink(records: IdentityRecords, { kind, hash }: AccountLink): Promise<void> {
  const { purpose } = kind === "invitation" ? INVITATIONS : RESET_LINKS;
  await records.removeSecret(hash, purpose);
}

export type RedeemLinkResult =
  | { readonly kind: "redeemed"; readonly link: AccountLink; readonly account: Account }
  | { readonly kind: "refused" }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" };

export interface Redemption {
  readonly link: string;
  /** The name that the person chose; a reset link has its own. */
  readonly username: string;
  /** Null for an account without a password, to which the caller adds a passkey. */
  readonly verifier: PasswordVerifier | null;
}

/**
 * Uses a link up, unless the name cannot be had. A reset removes the passkeys of the account; the caller ends
 * its sessions.
 */
export async function redeemAccountLink(
  records: IdentityRecords,
  accounts: Accounts,
  { link: secret, username, verifier }: Redemption,
  now: number,
): Promise<RedeemLinkResult> {
  const link = await findAccountLink(records, secret, now);
  if (link === null) return { kind: "refused" };
  const { accountId } = link;
  if (link.kind === "invitation") {
    const result =
      verifier === null
        ? await accounts.createWithoutPassword(records, accountId, username, now)
        : await accounts.create(records, username, verifier, now, accountId);
    if (result.kind !== "created") return result;
    await removeLink(records, link);
    return { kind: "redeemed", link, account: result.account };
  }
  const account = await accounts.replaceVerifier(records, link.username, verifier, now);
  if (account === null) return { kind: "refused" };
  await records.removePasskeys(accountId);
  await removeLink(records, link);
  return { kind: "redeemed", link, account };
}
