/** What the operator does on the machine itself: accounts and the apps connected to them. */
import { createAccounts, type Account } from "../identity/accounts.ts";
import type { InstanceKey } from "../identity/instance-key.ts";
import type { PasswordError } from "../rules/identity/grammar.ts";
import { EVENTS_REALM } from "./realm.ts";
import type { EventsRecords, EventsStore, Grant, Profile } from "./store.ts";
import { parseTimeZone } from "./time-zones.ts";

export type ListedAccount = Account & Pick<Profile, "timeZone" | "language">;
export type ListedGrant = Omit<Grant, "tokenHash"> & { readonly username: string };

export type AccountResult =
  | { readonly kind: "done"; readonly account: Account; readonly endedSessions: number }
  | { readonly kind: "password-refused"; readonly fault: PasswordError }
  | { readonly kind: "unknown-time-zone" }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" }
  | { readonly kind: "no-account" };

export type RevokeResult =
  | { readonly kind: "done"; readonly revoked: number }
  | { readonly kind: "no-account" };

export interface Administration {
  /** The zone is the instance's unless told. */
  createAccount(username: string, password: string, timeZone?: string): Promise<AccountResult>;
  /** Oldest first. */
  listAccounts(): Promise<ListedAccount[]>;
  findAccount(username: string): Promise<ListedAccount | null>;
  /** Ends every browser's session: whoever changes a password may have lost the old one. */
  changePassword(username: string, password: string): Promise<AccountResult>;
  /** Whether the account's password can be checked: not when it was sealed under another key. */
  hasUsablePassword(username: string): Promise<boolean>;
  /** Those alive, newest first; of everybody when no account is named. Null: no such account. */
  listGrants(username?: string): Promise<ListedGrant[] | null>;
  revokeGrant(grantId: string): Promise<boolean>;
  revokeAllGrants(username: string): Promise<RevokeResult>;
}

export interface AdministrationSettings {
  readonly store: EventsStore;
  readonly instanceKey: InstanceKey;
  /** Of accounts that have chosen none; UTC unless told. */
  readonly timeZone?: string;
  readonly now?: () => number;
}

export function createAdministration(settings: AdministrationSettings): Administration {
  const { store, instanceKey, timeZone: ownZone = "UTC", now = Date.now } = settings;
  const accounts = createAccounts({ realm: EVENTS_REALM, instanceKey });

  const describe = async ({ profiles }: EventsRecords, account: Account) => {
    const profile = await profiles.find(account.accountId);
    return {
      ...account,
      timeZone: profile?.timeZone ?? ownZone,
      language: profile?.language ?? null,
    };
  };
  const find = async ({ identity }: EventsRecords, username: string) => {
    const name = username.normalize("NFC");
    return (await accounts.list(identity)).find((account) => account.username === name) ?? null;
  };

  return {
    async createAccount(username, password, given = ownZone) {
      const timeZone = parseTimeZone(given);
      if (timeZone === null) return { kind: "unknown-time-zone" };
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", fault: derived.error };
      return store.transaction(async ({ identity, profiles }): Promise<AccountResult> => {
        const outcome = await accounts.create(identity, username, derived.verifier, now());
        if (outcome.kind !== "created") return outcome;
        const { account } = outcome;
        await profiles.put({ accountId: account.accountId, timeZone, language: null });
        return { kind: "done", account, endedSessions: 0 };
      });
    },
    listAccounts: () =>
      store.transaction(async (records) => {
        const listed: ListedAccount[] = [];
        for (const account of await accounts.list(records.identity)) {
          listed.push(await describe(records, account));
        }
        return listed;
      }),
    findAccount: (username) =>
      store.transaction(async (records) => {
        const account = await find(records, username);
        return account === null ? null : describe(records, account);
      }),
    async changePassword(username, password) {
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", fault: derived.error };
      return store.transaction(async ({ identity, sessions, grants }): Promise<AccountResult> => {
        const account = await accounts.replaceVerifier(identity, username, derived.verifier, now());
        if (account === null) return { kind: "no-account" };
        await grants.endCodes(account.accountId);
        const endedSessions = await sessions.closeAll(account.accountId);
        return { kind: "done", account, endedSessions };
      });
    },
    hasUsablePassword: (username) =>
      store.transaction(({ identity }) => accounts.canOpen(identity, username)),
    listGrants: (username) =>
      store.transaction(async (records) => {
        const account = username === undefined ? undefined : await find(records, username);
        if (account === null) return null;
        const grants = await records.grants.list(now(), account?.accountId);
        return grants.map(({ tokenHash: _hash, ...grant }) => grant);
      }),
    revokeGrant: (grantId) => store.transaction(({ grants }) => grants.revoke(grantId)),
    revokeAllGrants: (username) =>
      store.transaction(async (records): Promise<RevokeResult> => {
        const account = await find(records, username);
        return account === null
          ? { kind: "no-account" }
          : { kind: "done", revoked: await records.grants.revokeAll(account.accountId) };
      }),
  };
}
