import {
  CommandError,
  flag,
  option,
  UsageError,
  type Line,
  type OptionValues,
  type PromptContext,
  defineCommand,
} from "../../command.ts";
import { formatCount, formatTime } from "../../format.ts";
import { askConfirmation, confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import {
  describeInvitation,
  expectOneFormat,
  MANY_OPTIONS,
  numberNames,
  printInvitation,
  printInvitations,
  printSignInLink,
} from "../store/account-links.ts";
import {
  expectAccountDone,
  type AccountService,
  LINK_DESCRIPTION,
} from "../store/account-service.ts";
import {
  missingAccount,
  withEventsAdministration,
  type EventsAdministration,
  failWithoutAccount,
} from "./open-store.ts";
import { removeAccount } from "../../../events/maintenance/remove-account.ts";
import type { Database } from "../../../database/database.ts";

const messagesFor = (username: string) => ({
  exists: `The account "${username}" already exists: change its password with \`trellis events account password\`, or create a reset link with \`trellis events account reset-link\``,
  missing: missingAccount(username),
});

const givenName = (options: OptionValues) => options["username"] as string;

const TIME_ZONE_OPTION = {
  "time-zone": option(
    "ZONE",
    "Such as Europe/Berlin (default: events.timeZone of the configuration)",
  ),
} as const;

const APP_OPTIONS = {
  "revoke-apps": flag("Also revoke the access of every app of the account"),
  "keep-apps": flag("Let the apps of the account keep their access"),
} as const;

export const eventsAccounts: AccountService<EventsAdministration> = {
  name: "events",
  withAdministration: withEventsAdministration,
  nameOptions: { username: option("NAME", "The account", { required: true }) },
  findName: async ({ expectAccount }, options) =>
    (await expectAccount(givenName(options))).username,
  create: {
    note: " The time zone decides which date a time belongs to.",
    example: "trellis events account create --username ada --time-zone Europe/Berlin",
    options: TIME_ZONE_OPTION,
    async run({ createAccount, expectAccount }, name, password, options) {
      const zone = options["time-zone"] as string | undefined;
      expectAccountDone(await createAccount(name, password, zone), messagesFor(name));
      const { username, timeZone, createdAt } = await expectAccount(name);
      return {
        message: `Created the account "${username}" in the time zone ${timeZone}`,
        json: { username, timeZone, createdAt: formatTime(createdAt) },
      };
    },
  },
  password: {
    note: " Apps that have access keep it for up to a year, even if someone who knew the old password connected them: choose --revoke-apps or --keep-apps; at a terminal the command asks.",
    options: APP_OPTIONS,
    signedOut: { noun: "browser", member: "endedSessions" },
    async run({ changePassword, listGrants }, password, keepsPasskeys, context) {
      const name = givenName(context.options);
      const { apps, revokesApps } = await decideOnApps(context, name, listGrants);
      const result = expectAccountDone(
        await changePassword(name, password, revokesApps, keepsPasskeys),
        messagesFor(name),
      );
      const { account, endedSessions, endedAccess: revokedApps, removedPasskeys } = result;
      const { username } = account;
      const keptApps = revokesApps ? 0 : apps;
      return {
        username,
        signedOut: endedSessions,
        removedPasskeys,
        further: {
          message: describeApps(username, revokedApps, keptApps),
          json: { revokedApps, keptApps },
        },
      };
    },
  },
  resetLink: {
    note: "That signs out every browser and removes every passkey. For apps, choose --revoke-apps or --keep-apps; at a terminal the command asks.",
    example: "trellis events account reset-link --username ada --keep-apps",
    options: APP_OPTIONS,
    async run({ createResetLink, expectAccount, listGrants }, context) {
      const { username } = await expectAccount(givenName(context.options));
      const { apps, revokesApps } = await decideOnApps(context, username, listGrants);
      const link = (await createResetLink(username, revokesApps)) ?? failWithoutAccount(username);
      const further = revokesApps ? ", revokes its apps" : apps > 0 ? ", leaves its apps" : "";
      return { link, ends: `signs out every browser${further}` };
    },
  },
  rename: {
    example: "trellis events account rename --username ada --to grace",
    note: "Browsers stay signed in, and apps keep their access.",
  },
};

/** Whether the apps of the account lose their access. Without apps there is nothing to decide. */
async function decideOnApps(
  context: PromptContext,
  name: string,
  listGrants: EventsAdministration["listGrants"],
): Promise<{ readonly apps: number; readonly revokesApps: boolean }> {
  const { "revoke-apps": revokes, "keep-apps": keeps } = context.options;
  if (revokes === true && keeps === true) {
    throw new UsageError("Give --revoke-apps or --keep-apps, not both");
  }
  const apps = (await listGrants(name))?.length ?? 0;
  if (revokes === true || keeps === true || apps === 0) {
    return { apps, revokesApps: revokes === true };
  }
  const held = `${formatCount(apps, "app")} may read the events of "${name}"`;
  if (context.isInteractive) {
    const question = `${held}. Revoke that access too?`;
    return { apps, revokesApps: await askConfirmation(context, question, true) };
  }
  throw new CommandError(
    `${held}: nothing was changed; add --revoke-apps to end that access, or --keep-apps`,
  );
}

function describeApps(username: string, revoked: number, kept: number): Line {
  if (revoked > 0) return `Revoked the access of ${formatCount(revoked, "app")}`;
  return (
    kept > 0 &&
    `${formatCount(kept, "app")} can still read the events: revoke that with \`trellis events grants revoke --account ${username} --all\``
  );
}

export const inviteCommand = defineCommand({
  description:
    "Each person opens the link, chooses a name and a password or a passkey, and sees how to connect an app. The name is a suggestion, and the operator never learns the password. A new link for a name replaces the previous one.",
  options: {
    username: option("NAME", "The suggested name; with --count, its beginning"),
    ...TIME_ZONE_OPTION,
    ...MANY_OPTIONS,
  },
  examples: [
    "trellis events account invite --username ada",
    "trellis events account invite --username pupil --count 30 --csv > pupils.csv",
  ],
  async run(context) {
    const { username, count, csv, "time-zone": timeZone } = context.options;
    expectOneFormat(csv, context.isJson);
    const names = numberNames(username ?? "", count).map((name) =>
      username === undefined ? null : name,
    );
    const { invitations, taken } = await withEventsAdministration(
      context,
      "create",
      async ({ invite, settings }) => {
        const result = await invite(names, timeZone);
        const { links, taken } = expectAccountDone(result, {
          ...messagesFor(result.kind === "account-exists" ? result.username : ""),
          ...(count !== undefined && {
            exists: "All of these names already have an account, so no link was created",
          }),
        });
        return {
          invitations: links.map((link) => describeInvitation(settings.baseUrl, link)),
          taken,
        };
      },
    );
    const [first] = invitations;
    if (count === undefined && !csv && first !== undefined) {
      printInvitation(context, first);
      return;
    }
    printInvitations(context, invitations, taken, csv);
    context.json({ invitations, taken });
  },
});

export const listAccountsCommand = defineCommand({
  async run(context) {
    const listed = await withEventsAdministration(context, "read", ({ listAccounts }) =>
      listAccounts(),
    );
    const accounts = listed.map(({ username, timeZone, language, createdAt }) => ({
      username,
      timeZone,
      language,
      createdAt: formatTime(createdAt),
    }));
    if (accounts.length === 0) {
      context.print(
        "There is no account: run `trellis events account create --username NAME`, or `trellis events account invite`",
      );
    }
    for (const { username, timeZone, createdAt } of accounts) {
      context.print(username, `  time zone ${timeZone}, created ${createdAt}`);
    }
    context.json({ accounts });
  },
});

export const removeAccountCommand = defineCommand({
  description:
    "Deletes the account with its events, subscriptions and settings, signs out its browsers and revokes its apps. This cannot be undone: run `trellis events backup` first. Apps keep what they have already imported, and earlier backups still contain the account.",
  options: {
    username: option("NAME", "The account", { required: true }),
    ...PLAN_OPTIONS,
  },
  examples: ["trellis events account remove --username ada"],
  async run(context) {
    await withEventsAdministration(context, "change", async ({ store, expectAccount }) => {
      const account = await expectAccount(context.options.username);
      const { username } = account;
      const counts = await countContents(store.database, account.accountId);
      const { events, subscriptions, grants } = counts;
      await confirmPlan(context, {
        consequence: `This removes the account "${username}" with ${formatCount(events, "event")}, ${formatCount(subscriptions, "subscription")} and the access of ${formatCount(grants, "app")}`,
        plan: { username, ...counts },
      });
      await removeAccount(store, account);
      context.print(`Removed the account "${username}" and everything that belonged to it`);
      context.json({ username, ...counts });
    });
  },
});

async function countContents(database: Database, accountId: string) {
  const [row] = await database.query<{ events: number; subscriptions: number; grants: number }>(
    `SELECT
       (SELECT count(*) FROM events_entries
        WHERE account_id = $1 AND deleted_at IS NULL) AS events,
       (SELECT count(*) FROM events_subscriptions WHERE account_id = $1) AS subscriptions,
       (SELECT count(*) FROM events_grants WHERE account_id = $1) AS grants`,
    [accountId],
  );
  return row ?? { events: 0, subscriptions: 0, grants: 0 };
}

export const signInLinkCommand = defineCommand({
  description: LINK_DESCRIPTION,
  options: { account: option("NAME", "The account", { required: true }) },
  examples: ["trellis events sign-in-link --account ada"],
  async run(context) {
    const { account } = context.options;
    await withEventsAdministration(context, "change", async ({ createSignInLink, settings }) => {
      const link = (await createSignInLink(account)) ?? failWithoutAccount(account);
      printSignInLink(context, settings.baseUrl, link);
    });
  },
});
