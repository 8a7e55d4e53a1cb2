import { CommandError, defineCommand } from "../../command.ts";
import { formatTime } from "../../format.ts";
import { printSignInLink } from "../store/account-links.ts";
import {
  expectAccountDone,
  type AccountService,
  LINK_DESCRIPTION,
} from "../store/account-service.ts";
import { withSyncAdministration, type SyncAdministration } from "./open-store.ts";

export const SYNC_ACCOUNT_MESSAGES = {
  exists:
    "This instance already has an account: change its password with `trellis sync account password`, or create a reset link with `trellis sync account reset-link`",
  missing:
    "There is no account yet: create it with `trellis sync account create --username NAME`, or invite its owner with `trellis sync account create --invite`",
};

export const syncAccounts: AccountService<SyncAdministration> = {
  name: "sync",
  withAdministration: withSyncAdministration,
  nameOptions: {},
  async findName({ findAccount }) {
    const account = await findAccount();
    if (account === null) throw new CommandError(SYNC_ACCOUNT_MESSAGES.missing);
    return account.username;
  },
  create: {
    note: " With --invite the owner chooses it: a new link replaces the previous one.",
    example: "trellis sync account create --username ada",
    options: {},
    async run({ createAccount }, name, password) {
      const { account } = expectAccountDone(
        await createAccount(name, password),
        SYNC_ACCOUNT_MESSAGES,
      );
      const { username } = account;
      return {
        message: `Created the account "${username}"; sign in from an app now`,
        json: { username, createdAt: formatTime(account.createdAt) },
      };
    },
    invite: async ({ invite }, username) =>
      expectAccountDone(await invite(username), SYNC_ACCOUNT_MESSAGES).link,
  },
  password: {
    note: "",
    options: {},
    signedOut: { noun: "device", member: "revokedDevices" },
    async run({ changePassword }, password, keepsPasskeys) {
      const { account, endedAccess, removedPasskeys } = expectAccountDone(
        await changePassword(password, keepsPasskeys),
        SYNC_ACCOUNT_MESSAGES,
      );
      return { username: account.username, signedOut: endedAccess, removedPasskeys };
    },
  },
  resetLink: {
    note: "That signs out every device and browser, and removes every passkey.",
    example: "trellis sync account reset-link",
    options: {},
    async run({ createResetLink }) {
      const link = await createResetLink();
      if (link === null) throw new CommandError(SYNC_ACCOUNT_MESSAGES.missing);
      return { link, ends: "signs out every device and browser" };
    },
  },
  rename: {
    example: "trellis sync account rename --to grace",
    note: "Devices stay signed in.",
  },
};

export const signInLinkCommand = defineCommand({
  description: LINK_DESCRIPTION,
  examples: ["trellis sync sign-in-link"],
  async run(context) {
    await withSyncAdministration(context, "change", async ({ createSignInLink, settings }) => {
      const link = await createSignInLink();
      if (link === null) throw new CommandError(SYNC_ACCOUNT_MESSAGES.missing);
      printSignInLink(context, settings.baseUrl, link);
    });
  },
});
