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
    "The account of this instance exists already: change its password with `trellis sync account password`, or make a link for its person with `trellis sync account reset-link`",
  missing: "There is no account yet: create it with `trellis sync account create --username NAME`",
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
    note: " With --invite the person chooses it: a new link replaces the one before it.",
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
    invite: inviteToAccount,
  },
  password: {
    note: "",
    options: {},
    signedOut: { noun: "device", member: "revokedDevices" },
    async run({ changePassword }, password) {
      const result = expectAccountDone(await changePassword(password), SYNC_ACCOUNT_MESSAGES);
      const { account, revokedDevices, passkeys } = result;
      return { username: account.username, signedOut: revokedDevices, passkeys };
    },
  },
  resetLink: {
    note: "That signs out every device and browser.",
    ends: "signs out every device and browser",
    example: "trellis sync account reset-link",
    options: {},
    async run({ createResetLink }) {
      const link = await createResetLink();
      if (link === null) throw new CommandError(SYNC_ACCOUNT_MESSAGES.missing);
      return link;
    },
  },
  rename: {
    example: "trellis sync account rename --to grace",
    note: "Devices stay signed in.",
  },
};

export async function inviteToAccount(
  { invite }: Pick<SyncAdministration, "invite">,
  username: string | null,
) {
  return expectAccountDone(await invite(username), SYNC_ACCOUNT_MESSAGES).link;
}

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
