import { entry, type CommandGroup } from "../../command.ts";
import { accountEntries, backupEntries, keyEntries } from "../store/index.ts";

const loadManaged = async () => (await import("./managed-events.ts")).managedEvents;

export const eventsCommands: CommandGroup = {
  summary: "Manage an events service",
  commands: {
    account: {
      summary: "Manage accounts",
      commands: {
        ...accountEntries(async () => (await import("./accounts.ts")).eventsAccounts, {
          create: "Create an account",
          password: "Set a new password and sign out every browser",
        }),
        remove: entry(
          "Remove an account and everything that belongs to it",
          () => import("./accounts.ts"),
          "removeAccountCommand",
        ),
        list: entry("List the accounts", () => import("./accounts.ts"), "listAccountsCommand"),
      },
    },
    "sign-in-link": entry(
      "Make a one-time link for a new device while strangers guess",
      () => import("./accounts.ts"),
      "signInLinkCommand",
    ),
    import: entry("Import events from an iCalendar, CSV or JSON file", () => import("./import.ts")),
    subscribe: entry(
      "Subscribe an account to a calendar",
      () => import("./subscribe.ts"),
      "subscribeCommand",
    ),
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
      () => import("./subscribe.ts"),
      "unsubscribeCommand",
    ),
    grants: {
      summary: "Manage the access of apps",
      commands: {
        list: entry(
          "List the apps that have access to events",
          () => import("./grants.ts"),
          "listGrantsCommand",
        ),
        revoke: entry(
          "Revoke the access of an app, or of all apps of an account",
          () => import("./grants.ts"),
          "revokeGrantsCommand",
        ),
      },
    },
    key: keyEntries(loadManaged),
    status: entry("Show store status", () => import("./status.ts")),
    ...backupEntries(loadManaged),
  },
};
