/** What a service does for the page of invitations and reset links. */
import type { WelcomeBody, WelcomeOpened, WelcomeResponse } from "../../contract/welcome.ts";
import { parseNewUsername } from "../../rules/identity/grammar.ts";
import {
  findAccountLink,
  redeemAccountLink,
  revokeInvitations,
  type AccountLink,
  type RedeemLinkResult,
} from "../account-links.ts";
import type { IdentityRecords } from "../identity-records.ts";
import { readWireVerifier } from "../password-verifier.ts";
import type { NoteSecurityEvent } from "../security-log.ts";
import type { AccountContext } from "./account-context.ts";
import type { AccountRecords } from "./account-service.ts";

export type Redeemed = Extract<RedeemLinkResult, { kind: "redeemed" }>;

/**
 * Ends what was signed in before a reset, and opens a session, in the transaction that uses the link up.
 */
type Grant<Records, T> = (records: Records, redeemed: Redeemed) => Promise<T>;

export type WelcomeResult<T> =
  | { readonly kind: "responded"; readonly body: WelcomeResponse }
  | { readonly kind: "granted"; readonly username: string; readonly grant: T }
  /** The link cannot be used. */
  | { readonly kind: "refused" }
  /** No page sends such a request. */
  | { readonly kind: "invalid" };

type Use = Exclude<WelcomeBody, { action: "open" | "passkey-begin" }>;
type Begin = Extract<WelcomeBody, { action: "passkey-begin" }>;

const REFUSED = { kind: "refused" } as const;
const INVALID = { kind: "invalid" } as const;
const TAKEN = respond({ kind: "username-taken" });

/** Thrown to roll back a transaction in which an account was made, but no passkey for it. */
class PasskeyRefused extends Error {}

export function createWelcome<Records extends AccountRecords>(context: AccountContext<Records>) {
  const { service, security, accounts, passkeys, now } = context;
  /** An invitation is void once the only account exists. */
  const { hasOneAccount } = service;

  return async <T>(
    body: WelcomeBody,
    address: string,
    grant: Grant<Records, T>,
  ): Promise<WelcomeResult<T>> => {
    switch (body.action) {
      case "open":
        return openLink(body.link);
      case "passkey-begin":
        return beginPasskey(body);
      case "password":
      case "passkey":
        return use(body, address, grant);
    }
  };

  function openLink(secret: string): Promise<WelcomeResult<never>> {
    return security.transaction(async ({ identity }) => {
      const link = await findAccountLink(identity, secret, now());
      return link === null ? REFUSED : respond(describe(link, passkeys !== null));
    });
  }

  /** Writes nothing; the name is looked up, so that no passkey is made for one that is taken. */
  async function beginPasskey({ link: secret, username }: Begin): Promise<WelcomeResult<never>> {
    if (passkeys === null) return INVALID;
    return security.transaction(async ({ identity }): Promise<WelcomeResult<never>> => {
      const link = await findAccountLink(identity, secret, now());
      if (link === null) return REFUSED;
      const isNew = link.kind === "invitation";
      const name = isNew ? parseNewUsername(username) : link.username;
      if (name === null) return INVALID;
      if (isNew && (await identity.findAccount(name)) !== null) return TAKEN;
      const account = { accountId: link.accountId, username: name };
      const creation = await passkeys.beginAdd(identity, account, link.hash, now());
      // The earlier passkeys go, so a device that has one may make another.
      return respond({ kind: "creation", creation: { ...creation, excludeCredentials: [] } });
    });
  }

  async function use<T>(
    body: Use,
    address: string,
    grant: Grant<Records, T>,
  ): Promise<WelcomeResult<T>> {
    const verifier = body.action === "passkey" ? null : readWireVerifier(body.verifier);
    if (body.action === "passkey" ? passkeys === null : verifier === null) return INVALID;
    try {
      return await security.transaction(async (records, note): Promise<WelcomeResult<T>> => {
        const { identity } = records;
        const result = await redeemAccountLink(identity, accounts, { ...body, verifier }, now());
        switch (result.kind) {
          case "refused":
            return REFUSED;
          case "invalid-username":
            return INVALID;
          case "account-exists":
            return hasOneAccount ? REFUSED : TAKEN;
          case "redeemed": {
            if (hasOneAccount) await revokeInvitations(identity, now());
            if (body.action === "passkey") await addPasskey(identity, result, body);
            await noteUse(result.link, note, address);
            const { username } = result.account;
            return { kind: "granted", username, grant: await grant(records, result) };
          }
        }
      });
    } catch (error) {
      if (error instanceof PasskeyRefused) return respond({ kind: "passkey-refused" });
      throw error;
    }
  }

  async function addPasskey(
    records: IdentityRecords,
    { account, link }: Redeemed,
    { name, credential }: Extract<Use, { action: "passkey" }>,
  ): Promise<void> {
    const given = { attempt: link.hash, credential, name };
    const added = await passkeys?.completeAdd(records, account, given, now());
    if (added?.kind !== "added") throw new PasskeyRefused();
  }
}

function respond(body: WelcomeResponse) {
  return { kind: "responded", body } as const;
}

function describe(link: AccountLink, hasPasskeys: boolean): WelcomeOpened {
  return link.kind === "invitation"
    ? { kind: link.kind, username: link.username, hasPasskeys }
    : { kind: link.kind, username: link.username, hasPasskeys, revokesApps: link.revokesApps };
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
