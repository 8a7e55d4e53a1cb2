import { renameAccount } from "../../../identity/rename-account.ts";
import type { Administration } from "../../../sync/administration.ts";
import { formatTime } from "../../format.ts";
import { SYNC_REALM } from "../../../sync/store.ts";
import { CommandError } from "../../command.ts";
import {
  adoptionOf,
  expectAccountDone,
  type AccountService,
  type RenameService,
} from "../store/account-service.ts";
import { withSyncAdministration } from "./open-store.ts";

const MESSAGES = {
  exists:
    "The account of this instance exists already: change its password with `trellis sync account password`",
  missing: "There is no account yet: create it with `trellis sync account create --username NAME`",
};

export const accounts: AccountService = {
  create: {
    note: "",
    example: "trellis sync account create --username ada",
    options: {},
    run: (context, username, password) => {
      const createAccount = async (administration: Administration) => {
        const result = await administration.createAccount(username, password);
        const { account } = expectAccountDone(result, MESSAGES);
        return {
          message: `Created the account "${account.username}"; sign in from an app now`,
          json: { username: account.username, createdAt: formatTime(account.createdAt) },
        };
      };
      return withSyncAdministration(
        context,
        "create",
        createAccount,
        adoptionOf(context, "new-store"),
      );
    },
  },
  password: {
    note: "",
    options: {},
    signedOut: { noun: "device", member: "revokedDevices" },
    run: (context, password) => {
      const changePassword = async (administration: Administration) => {
        const result = await administration.changePassword(password);
        const { account, revokedDevices } = expectAccountDone(result, MESSAGES);
        return { username: account.username, signedOut: revokedDevices };
      };
      return withSyncAdministration(
        context,
        "change",
        changePassword,
        adoptionOf(context, "unbound-store"),
      );
    },
  },
};

export const rename: RenameService = {
  example: "trellis sync account rename --to grace",
  note: "Devices stay signed in.",
  options: {},
  findName: (context) =>
    withSyncAdministration(context, "change", async (administration) => {
      const account = await administration.findAccount();
      if (account === null) throw new CommandError(MESSAGES.missing);
      return account.username;
    }),
  rename: (context, before, after) =>
    withSyncAdministration(context, "change", (_administration, { database, instanceKey }) =>
      renameAccount(database, { realm: SYNC_REALM, instanceKey }, before, after),
    ),
};
