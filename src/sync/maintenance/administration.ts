/** The account and its devices, as their operator manages them on the machine. */
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
import { revokeEverything } from "../devices/revoke-everything.ts";
import { SYNC_REALM, type ListedDevice, type SyncRecords, type SyncStore } from "../store.ts";

export type AccountResult =
  | {
      readonly kind: "done";
      readonly account: Account;
      readonly revokedDevices: number;
      /** Passkeys of the account, which stay. */
      readonly passkeys: number;
    }
  | { readonly kind: "password-refused"; readonly error: PasswordError }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" }
  | { readonly kind: "no-account" };

export type InviteResult =
  | { readonly kind: "done"; readonly link: IssuedAccountLink }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" };

export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(
  store: SyncStore,
  instanceKey: InstanceKey,
  now: () => number = Date.now,
) {
  const accounts = createAccounts({ realm: SYNC_REALM, instanceKey });
  /** The one account of this instance. */
  const findAccount = (): Promise<Account | null> =>
    store.transaction(async ({ identity }) => (await accounts.list(identity))[0] ?? null);

  return {
    findAccount,
    async createAccount(username: string, password: string): Promise<AccountResult> {
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", error: derived.error };
      const result = await store.transaction(async ({ identity }) => {
        const created = await accounts.create(identity, username, derived.verifier, now());
        if (created.kind === "created") await revokeInvitations(identity, now());
        return created;
      });
      return result.kind === "created"
        ? { kind: "done", account: result.account, revokedDevices: 0, passkeys: 0 }
        : result;
    },
    /** Revokes every device, because the old password may be known to others. */
    async changePassword(password: string): Promise<AccountResult> {
      const found = await findAccount();
      if (found === null) return { kind: "no-account" };
      const derived = await accounts.deriveVerifier(password);
      if (derived.kind === "refused") return { kind: "password-refused", error: derived.error };
      return store.transaction(async (records): Promise<AccountResult> => {
        const account = await accounts.replaceVerifier(
          records.identity,
          found.username,
          derived.verifier,
          now(),
        );
        if (account === null) return { kind: "no-account" };
        await records.identity.countSecurityEvent("password-changed", now());
        const revokedDevices = await signOutEverywhere(records);
        const passkeys = (await records.identity.listPasskeys(account.accountId)).length;
        return { kind: "done", account, revokedDevices, passkeys };
      });
    },
    /** Null when there is no account. */
    createSignInLink: () =>
      store.transaction(async ({ identity }) => {
        const [account] = await accounts.list(identity);
        return account === undefined
          ? null
          : issueSignInLink(identity, account.username, now(), randomBytes);
      }),
    /** Invites a person to the account of this instance, and replaces an earlier invitation. */
    async invite(username: string | null): Promise<InviteResult> {
      const name = username === null ? null : parseNewUsername(username);
      if (name === null && username !== null) return { kind: "invalid-username" };
      return store.transaction(async ({ identity }): Promise<InviteResult> => {
        if ((await accounts.list(identity)).length > 0) return { kind: "account-exists" };
        const replaced = await revokeInvitations(identity, now());
        const invited = { accountId: accounts.newAccountId(), username: name, timeZone: null };
        const isReplacement = replaced.length > 0;
        const link = await issueInvitation(identity, invited, isReplacement, now(), randomBytes);
        return { kind: "done", link };
      });
    },
    /** Null when there is no account. */
    createResetLink: () =>
      store.transaction(async ({ identity }) => {
        const [account] = await accounts.list(identity);
        return account === undefined
          ? null
          : issueResetLink(identity, account, false, now(), randomBytes);
      }),
    ...createLinkAdministration(store, now),
    listDevices: (): Promise<ListedDevice[]> =>
      store.transaction(({ sessions }) => sessions.list(now())),
    revokeDevice: (deviceId: string): Promise<boolean> =>
      store.transaction(async ({ identity, sessions }) => {
        const isRevoked = await sessions.revokeDevice(deviceId);
        if (isRevoked) await identity.countSecurityEvent("device-signed-out", now());
        return isRevoked;
      }),
    revokeAllDevices: (): Promise<number> => store.transaction(signOutEverywhere),
  };

  async function signOutEverywhere(records: SyncRecords): Promise<number> {
    await records.identity.countSecurityEvent("signed-out-everywhere", now());
    return revokeEverything(records);
  }
}
