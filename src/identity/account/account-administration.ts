/** Accounts and their links, as an operator manages them on the machine. */
import { parseNewUsername, type PasswordError } from "../../rules/identity/grammar.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import {
  accountLinkId,
  issueInvitation,
  issueResetLink,
  listAccountLinks,
  revokeAccountLinks,
  revokeInvitations,
  type AccountLink,
  type IssuedAccountLink,
} from "../account-links.ts";
import { createAccounts, type Account } from "../accounts.ts";
import type { IdentityRecords } from "../identity-records.ts";
import type { InstanceKey } from "../instance-key.ts";
import { issueSignInLink } from "../sign-in-links.ts";
import type { AccountRealm, AccountRecords } from "./account-service.ts";
import { endSignIns, type EndedSignIns } from "./end-sign-ins.ts";

/** What creating an account came to. */
export type CreatedAccount =
  | { readonly kind: "done"; readonly account: Account }
  | { readonly kind: "password-refused"; readonly error: PasswordError }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" };

/** What changing the password of an account came to. */
export type ChangedPassword =
  | ({
      readonly kind: "done";
      readonly account: Account;
      readonly removedPasskeys: number;
    } & EndedSignIns)
  | { readonly kind: "password-refused"; readonly error: PasswordError }
  | { readonly kind: "no-account" };

export type InvitedAccounts =
  | {
      readonly kind: "done";
      readonly links: readonly IssuedAccountLink[];
      /** The names that have an account already, and got no link. */
      readonly taken: readonly string[];
    }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists"; readonly username: string };

export interface ListedLink extends Pick<AccountLink, "kind" | "username" | "expiresAt"> {
  readonly id: string;
}

export interface AccountAdministrationSettings<Records extends AccountRecords> {
  readonly realm: AccountRealm<Records>;
  readonly store: { transaction<T>(work: (records: Records) => Promise<T>): Promise<T> };
  readonly instanceKey: InstanceKey;
  now(): number;
}

/** A name is that of one of several accounts; null is the account of a realm that has one. */
type Name = string | null;

export type RealmAdministration = ReturnType<typeof createAccountAdministration>;

export function createAccountAdministration<Records extends AccountRecords>(
  settings: AccountAdministrationSettings<Records>,
) {
  const { realm, store, instanceKey, now } = settings;
  const accounts = createAccounts({ realm: realm.realm, instanceKey });
  const find = async (identity: IdentityRecords, username: Name): Promise<Account | null> => {
    const name = username?.normalize("NFC") ?? null;
    const isMeant = (account: Account) => name === null || account.username === name;
    return (await accounts.list(identity)).find(isMeant) ?? null;
  };
  /** Null when the account is unknown. */
  const withAccount = <T>(
    username: Name,
    work: (records: Records, account: Account) => Promise<T>,
  ): Promise<T | null> =>
    store.transaction(async (records) => {
      const account = await find(records.identity, username);
      return account === null ? null : work(records, account);
    });

  return {
    accounts,
    find,
    withAccount,

    async createAccount(
      username: string,
      password: string,
      timeZone: string | null,
    ): Promise<CreatedAccount> {
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", error: derived.error };
      return store.transaction(async (records): Promise<CreatedAccount> => {
        const { identity } = records;
        const result = await accounts.create(identity, username, derived.verifier, now());
        if (result.kind !== "created") return result;
        const { account } = result;
        const invited = realm.hasOneAccount ? undefined : new Set([account.username]);
        await revokeInvitations(identity, now(), invited);
        await realm.onCreated?.(records, account, timeZone);
        return { kind: "done", account };
      });
    },

    /** A person who knew the old password may have signed in, or added a passkey. */
    async changePassword(
      username: Name,
      password: string,
      ends: { readonly isEverywhere: boolean; readonly keepsPasskeys: boolean },
    ): Promise<ChangedPassword> {
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", error: derived.error };
      const changed = await withAccount(username, async (records, { username: name }) => {
        const { identity } = records;
        const account = await accounts.replaceVerifier(identity, name, derived.verifier, now());
        if (account === null) return null;
        await identity.countSecurityEvent("password-changed", now());
        if (ends.isEverywhere) await identity.countSecurityEvent("signed-out-everywhere", now());
        const ended = await endSignIns(realm, records, account, ends.isEverywhere);
        const removedPasskeys = ends.keepsPasskeys
          ? 0
          : await identity.removePasskeys(account.accountId);
        return { kind: "done", account, ...ended, removedPasskeys } as const;
      });
      return changed ?? { kind: "no-account" };
    },

    createSignInLink: (username: Name) =>
      withAccount(username, ({ identity }, account) =>
        issueSignInLink(identity, account.username, now(), randomBytes),
      ),

    createResetLink: (username: Name, revokesApps: boolean) =>
      withAccount(username, ({ identity }, account) =>
        issueResetLink(identity, account, revokesApps, now(), randomBytes),
      ),

    /** Makes an invitation for each name without an account; null lets the person choose. An earlier one is replaced. */
    async invite(usernames: readonly Name[], timeZone: string | null): Promise<InvitedAccounts> {
      const names = usernames.map((name) => (name === null ? null : parseNewUsername(name)));
      if (names.some((name, index) => name === null && usernames[index] !== null)) {
        return { kind: "invalid-username" };
      }
      return store.transaction(({ identity }) => inviteAll(identity, names, timeZone));
    },

    /** Lists the links that can be used, the first to expire first. */
    listLinks: () =>
      store.transaction(async ({ identity }) =>
        (await listAccountLinks(identity, now())).map(describeLink),
      ),
    /** Revokes the link with this id, or all for null. Returns those that there were. */
    revokeLinks: (id: string | null) =>
      store.transaction(async ({ identity }) =>
        (await revokeAccountLinks(identity, id, now())).map(describeLink),
      ),
  };

  async function inviteAll(
    identity: IdentityRecords,
    names: readonly Name[],
    timeZone: string | null,
  ): Promise<InvitedAccounts> {
    const known = (await accounts.list(identity)).map(({ username }) => username);
    const [first] = known;
    if (realm.hasOneAccount && first !== undefined) {
      return { kind: "account-exists", username: first };
    }
    const isTaken = (name: Name): name is string => name !== null && known.includes(name);
    const taken = names.filter(isTaken);
    const free = names.filter((name) => !isTaken(name));
    const [firstTaken] = taken;
    if (free.length === 0 && firstTaken !== undefined) {
      return { kind: "account-exists", username: firstTaken };
    }
    const offered = new Set(free.filter((name) => name !== null));
    const revoked = await revokeInvitations(
      identity,
      now(),
      realm.hasOneAccount ? undefined : offered,
    );
    const links: IssuedAccountLink[] = [];
    for (const name of free) {
      // The only invitation of a realm leaves its name to the next one.
      const username = name ?? (realm.hasOneAccount ? (revoked[0]?.username ?? null) : null);
      const isReplacement = realm.hasOneAccount
        ? revoked.length > 0
        : revoked.some((link) => link.username === username);
      const invited = { accountId: accounts.newAccountId(), username, timeZone };
      links.push(await issueInvitation(identity, invited, isReplacement, now(), randomBytes));
    }
    return { kind: "done", links, taken };
  }
}

function describeLink(link: AccountLink): ListedLink {
  const { kind, username, expiresAt } = link;
  return { id: accountLinkId(link), kind, username, expiresAt };
}
