/** The account and its devices, as their operator manages them on the machine. */
import {
  createAccountAdministration,
  type ChangedPassword,
  type CreatedAccount,
} from "../../identity/account/account-administration.ts";
import type { Account } from "../../identity/accounts.ts";
import type { IssuedAccountLink } from "../../identity/account-links.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import { revokeEverything } from "../devices/revoke-everything.ts";
import { SYNC_ACCOUNT } from "../setup/account.ts";
import type { ListedDevice, SyncStore } from "../store.ts";

export type InviteResult =
  | { readonly kind: "done"; readonly link: IssuedAccountLink }
  | { readonly kind: "invalid-username" }
  | { readonly kind: "account-exists" };

/**
 * What the operator of an instance can do: create or rename the account, make links, and list or revoke
 * devices. `SyncHost.administer` gives it.
 */
export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(
  store: SyncStore,
  instanceKey: InstanceKey,
  now: () => number = Date.now,
) {
  const settings = { realm: SYNC_ACCOUNT, store, instanceKey, now };
  const { createAccount, changePassword, invite, ...administration } =
    createAccountAdministration(settings);

  return {
    /** The one account of this instance. */
    findAccount: (): Promise<Account | null> =>
      store.transaction(({ identity }) => administration.find(identity, null)),
    createAccount: (username: string, password: string): Promise<CreatedAccount> =>
      createAccount(username, password, null),
    /** Revokes every device, because the old password may be known to others. */
    changePassword: (password: string, keepsPasskeys = false): Promise<ChangedPassword> =>
      changePassword(null, password, { isEverywhere: true, keepsPasskeys }),
    /** Null when there is no account. */
    createSignInLink: () => administration.createSignInLink(null),
    /** Invites a person to the account of this instance. An earlier invitation is replaced, and leaves its name. */
    async invite(username: string | null): Promise<InviteResult> {
      const result = await invite([username], null);
      if (result.kind !== "done") return result;
      const [link] = result.links;
      return link === undefined ? { kind: "account-exists" } : { kind: "done", link };
    },
    /** Null when there is no account. */
    createResetLink: () => administration.createResetLink(null, false),
    listLinks: administration.listLinks,
    revokeLinks: administration.revokeLinks,
    listDevices: (): Promise<ListedDevice[]> =>
      store.transaction(({ sessions }) => sessions.list(now())),
    revokeDevice: (deviceId: string): Promise<boolean> =>
      store.transaction(async ({ identity, sessions }) => {
        const isRevoked = await sessions.revokeDevice(deviceId);
        if (isRevoked) await identity.countSecurityEvent("device-signed-out", now());
        return isRevoked;
      }),
    revokeAllDevices: (): Promise<number> =>
      store.transaction(async (records) => {
        await records.identity.countSecurityEvent("signed-out-everywhere", now());
        return revokeEverything(records);
      }),
  };
}
