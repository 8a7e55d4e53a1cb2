import { entry, type CommandGroup } from "../../command.ts";
import { accountEntries, backupEntries, keyEntries } from "../store/index.ts";

const loadAccounts = () => import("./accounts.ts");
const loadGrants = () => import("./grants.ts");
const loadSubscribe = () => import("./subscribe.ts");
const loadManaged = async () => (await import("./managed-events.ts")).managedEvents;

export const eventsCommands: CommandGroup = {
  summary: "Manage an events service",
  commands: {
    account: {
      summary: "Manage accounts",
      commands: {
        ...accountEntries(async () => (await loadAccounts()).eventsAccounts, {
          create: "Create an account",
          password: "Set a new password and sign out every browser",
        }),
        invite: entry(
          "Create links with which people create their accounts",
          loadAccounts,
          "inviteCommand",
        ),
        remove: entry(
          "Remove an account and everything that belongs to it",
          loadAccounts,
          "removeAccountCommand",
        ),
        list: entry("List the accounts", loadAccounts, "listAccountsCommand"),
      },
    },
    "sign-in-link": entry(
      "Let a new device sign in while attackers guess passwords",
      loadAccounts,
      "signInLinkCommand",
    ),
    import: entry("Import events from an iCalendar, CSV or JSON file", () => import("./import.ts")),
    subscribe: entry("Subscribe an account to a calendar", loadSubscribe, "subscribeCommand"),
    subscriptions: {
      summary: "Show calendar subscriptions",
      commands: {
        list: entry(
          "List subscriptions and the result of their last fetch",
          () => import("./subscriptions-list.ts"),
        ),
      },
    },
    refresh: entry("Fetch subscribed calendars now", () => import("./refresh.ts")),
    unsubscribe: entry(
      "End a subscription and delete its events",
      loadSubscribe,
      "unsubscribeCommand",
    ),
    grants: {
      summary: "Manage the access of apps",
      commands: {
        list: entry("List the apps that have access to events", loadGrants, "listGrantsCommand"),
        revoke: entry(
          "Revoke the access of an app, or of all apps of an account",
          loadGrants,
          "revokeGrantsCommand",
        ),
      },
    },
    key: keyEntries(loadManaged),
    status: entry("Show store status", () => import("./status.ts")),
    ...backupEntries(loadManaged),
  },
};
