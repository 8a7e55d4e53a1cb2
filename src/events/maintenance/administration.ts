import { createAccounts, type Account } from "../../identity/accounts.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import {
  issueInvitation,
  issueResetLink,
  revokeInvitations,
  type IssuedAccountLink,
} from "../../identity/account-links.ts";
import { createLinkAdministration } from "../../identity/link-administration.ts";
import { issueSignInLink } from "../../identity/sign-in-links.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import { parseNewUsername, type PasswordError } from "../../rules/identity/grammar.ts";
import { revokeAllAccess } from "../oauth/grants.ts";
import {
  EVENTS_REALM,
  type EventsRecords,
  type EventsStore,
  type Grant,
  type Profile,
} from "../store.ts";
import { parseTimeZone } from "../../rules/events/ingest/time-zone.ts";

export type ListedAccount = Account & Pick<Profile, "timeZone" | "language">;
export type ListedGrant = Omit<Grant, "tokenHash"> & { readonly username: string };

export type AccountResult =
  | {
      readonly kind: "done";
      readonly account: Account;
      readonly endedSessions: number;
      readonly revokedApps: number;
      /** Passkeys of the account, which stay. */
      readonly passkeys: number;
    }
  | { readonly kind: "password-refused"; readonly error: PasswordError }
  | { readonly kind: "unknown-time-zone" }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" }
  | { readonly kind: "no-account" };

export type InviteResult =
  | { readonly kind: "done"; readonly links: readonly IssuedAccountLink[] }
  | { readonly kind: "unknown-time-zone" }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists"; readonly username: string };

export type Administration = ReturnType<typeof createAdministration>;

export interface AdministrationSettings {
  readonly store: EventsStore;
  readonly instanceKey: InstanceKey;
  /** The time zone of accounts without a profile; defaults to UTC. */
  readonly timeZone?: string;
  readonly now?: () => number;
}

export function createAdministration(settings: AdministrationSettings) {
  const { store, instanceKey, timeZone: defaultTimeZone = "UTC", now = Date.now } = settings;
  const accounts = createAccounts({ realm: EVENTS_REALM, instanceKey });

  const describe = async ({ profiles }: EventsRecords, account: Account) => {
    const profile = await profiles.find(account.accountId);
    return {
      ...account,
      timeZone: profile?.timeZone ?? defaultTimeZone,
      language: profile?.language ?? null,
    };
  };
  const find = async ({ identity }: EventsRecords, username: string): Promise<Account | null> => {
    const name = username.normalize("NFC");
    return (await accounts.list(identity)).find((account) => account.username === name) ?? null;
  };

  return {
    async createAccount(
      username: string,
      password: string,
      given = defaultTimeZone,
    ): Promise<AccountResult> {
      const timeZone = parseTimeZone(given);
      if (timeZone === null) return { kind: "unknown-time-zone" };
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", error: derived.error };
      return store.transaction(async ({ identity, profiles }): Promise<AccountResult> => {
        const result = await accounts.create(identity, username, derived.verifier, now());
        if (result.kind !== "created") return result;
        const { account } = result;
        await profiles.put({ accountId: account.accountId, timeZone, language: null });
        return { kind: "done", account, endedSessions: 0, revokedApps: 0, passkeys: 0 };
      });
    },
    /** Lists the oldest account first. */
    listAccounts: () =>
      store.transaction(async (records) => {
        const listed: ListedAccount[] = [];
        for (const account of await accounts.list(records.identity)) {
          listed.push(await describe(records, account));
        }
        return listed;
      }),
    findAccount: (username: string) =>
      store.transaction(async (records): Promise<ListedAccount | null> => {
        const account = await find(records, username);
        return account === null ? null : describe(records, account);
      }),
    /** Closes all sessions of the account. */
    async changePassword(
      username: string,
      password: string,
      revokesApps: boolean,
    ): Promise<AccountResult> {
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", error: derived.error };
      return store.transaction(async ({ identity, sessions, grants }): Promise<AccountResult> => {
        const account = await accounts.replaceVerifier(identity, username, derived.verifier, now());
        if (account === null) return { kind: "no-account" };
        await identity.countSecurityEvent("password-changed", now());
        await grants.revokeCodes(account.accountId);
        const endedSessions = await sessions.closeAll(account.accountId);
        const revokedApps = revokesApps ? await grants.revokeAll(account.accountId) : 0;
        const passkeys = (await identity.listPasskeys(account.accountId)).length;
        return { kind: "done", account, endedSessions, revokedApps, passkeys };
      });
    },
    /** Null when the account is unknown. */
    createSignInLink: (username: string) =>
      store.transaction(async (records) => {
        const account = await find(records, username);
        return account === null
          ? null
          : issueSignInLink(records.identity, account.username, now(), randomBytes);
      }),
    /** Makes an invitation for each name, or none; null lets the person choose. An earlier one is replaced. */
    async invite(usernames: readonly (string | null)[], given?: string): Promise<InviteResult> {
      const timeZone = given === undefined ? null : parseTimeZone(given);
      if (timeZone === null && given !== undefined) return { kind: "unknown-time-zone" };
      const names = usernames.map((name) => (name === null ? null : parseNewUsername(name)));
      if (names.some((name, index) => name === null && usernames[index] !== null)) {
        return { kind: "invalid-username" };
      }
      return store.transaction(async ({ identity }): Promise<InviteResult> => {
        const links: IssuedAccountLink[] = [];
        for (const username of names) {
          if (username !== null && (await identity.findAccount(username)) !== null) {
            return { kind: "account-exists", username };
          }
        }
        const offered = new Set(names.filter((name) => name !== null));
        const revoked = await revokeInvitations(identity, now(), offered);
        const replaced = new Set(revoked.map(({ username }) => username));
        for (const username of names) {
          const invited = { accountId: accounts.newAccountId(), username, timeZone };
          const isReplacement = replaced.has(username);
          links.push(await issueInvitation(identity, invited, isReplacement, now(), randomBytes));
        }
        return { kind: "done", links };
      });
    },
    /** Null when the account is unknown. */
    createResetLink: (username: string, revokesApps: boolean) =>
      store.transaction(async (records) => {
        const account = await find(records, username);
        return account === null
          ? null
          : issueResetLink(records.identity, account, revokesApps, now(), randomBytes);
      }),
    ...createLinkAdministration(store, now),
    /** Lists live grants, newest first, of one account or of all. Null when the account is unknown. */
    listGrants: (username?: string) =>
      store.transaction(async (records): Promise<ListedGrant[] | null> => {
        const account = username === undefined ? undefined : await find(records, username);
        if (account === null) return null;
        const grants = await records.grants.list(now(), account?.accountId);
        return grants.map(({ tokenHash: _hash, ...grant }) => grant);
      }),
    revokeGrant: (grantId: string) => store.transaction(({ grants }) => grants.revoke(grantId)),
    revokeAllGrants: (username: string) =>
      store.transaction(async (records) => {
        const account = await find(records, username);
        if (account === null) return { kind: "no-account" } as const;
        const revoked = await revokeAllAccess(records, account);
        return { kind: "done", revoked } as const;
      }),
  };
}
