/** The accounts with their apps, as their operator manages them on the machine. */
import {
  createAccountAdministration,
  type CreatedAccount,
  type InvitedAccounts,
} from "../../identity/account/account-administration.ts";
import type { Account } from "../../identity/accounts.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import { parseTimeZone } from "../../rules/events/ingest/time-zone.ts";
import { revokeAllAccess } from "../oauth/grants.ts";
import { createEventsRealm } from "../setup/account.ts";
import type { EventsRecords, EventsStore, Grant, Profile } from "../store.ts";

export type ListedAccount = Account & Pick<Profile, "timeZone" | "language">;
export type ListedGrant = Omit<Grant, "tokenHash"> & { readonly username: string };

type UnknownTimeZone = { readonly kind: "unknown-time-zone" };

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
  const realm = createEventsRealm(defaultTimeZone);
  const { accounts, find, withAccount, createAccount, changePassword, invite, ...links } =
    createAccountAdministration({ realm, store, instanceKey, now });

  const describe = async ({ profiles }: EventsRecords, account: Account) => {
    const profile = await profiles.find(account.accountId);
    return {
      ...account,
      timeZone: profile?.timeZone ?? defaultTimeZone,
      language: profile?.language ?? null,
    };
  };

  return {
    async createAccount(
      username: string,
      password: string,
      given = defaultTimeZone,
    ): Promise<CreatedAccount | UnknownTimeZone> {
      const timeZone = parseTimeZone(given);
      if (timeZone === null) return { kind: "unknown-time-zone" };
      return createAccount(username, password, timeZone);
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
    findAccount: (username: string): Promise<ListedAccount | null> =>
      withAccount(username, describe),
    changePassword: (
      username: string,
      password: string,
      revokesApps: boolean,
      keepsPasskeys = false,
    ) => changePassword(username, password, { isEverywhere: revokesApps, keepsPasskeys }),
    async invite(
      usernames: readonly (string | null)[],
      given?: string,
    ): Promise<InvitedAccounts | UnknownTimeZone> {
      const timeZone = given === undefined ? null : parseTimeZone(given);
      if (timeZone === null && given !== undefined) return { kind: "unknown-time-zone" };
      return invite(usernames, timeZone);
    },
    ...links,
    /** Lists live grants, newest first, of one account or of all. Null when the account is unknown. */
    listGrants: (username?: string) =>
      store.transaction(async (records): Promise<ListedGrant[] | null> => {
        const account = username === undefined ? undefined : await find(records.identity, username);
        if (account === null) return null;
        const grants = await records.grants.list(now(), account?.accountId);
        return grants.map(({ tokenHash: _hash, ...grant }) => grant);
      }),
    revokeGrant: (grantId: string) => store.transaction(({ grants }) => grants.revoke(grantId)),
    /** Null when the account is unknown. */
    revokeAllGrants: (username: string) => withAccount(username, revokeAllAccess),
  };
}
