import type { CommandGroup } from "../../command.ts";
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
        remove: {
          summary: "Remove an account and everything that belongs to it",
          load: async () => (await import("./account-remove.ts")).accountRemoveCommand,
        },
        list: {
          summary: "List the accounts",
          load: async () => (await import("./account-list.ts")).accountListCommand,
        },
      },
    },
    import: {
      summary: "Import events from an iCalendar, CSV or JSON file",
      load: async () => (await import("./import.ts")).importCommand,
    },
    subscribe: {
      summary: "Subscribe an account to a calendar",
      load: async () => (await import("./subscribe.ts")).subscribeCommand,
    },
    subscriptions: {
      summary: "Show calendar subscriptions",
      commands: {
        list: {
          summary: "List subscriptions and the result of their last fetch",
          load: async () => (await import("./subscriptions-list.ts")).subscriptionsListCommand,
        },
      },
    },
    refresh: {
      summary: "Fetch subscribed calendars now",
      load: async () => (await import("./refresh.ts")).refreshCommand,
    },
    unsubscribe: {
      summary: "End a subscription and delete its events",
      load: async () => (await import("./unsubscribe.ts")).unsubscribeCommand,
    },
    grants: {
      summary: "Manage the access of apps",
      commands: {
        list: {
          summary: "List the apps that have access to events",
          load: async () => (await import("./grants-list.ts")).grantsListCommand,
        },
        revoke: {
          summary: "Revoke the access of an app, or of all apps of an account",
          load: async () => (await import("./grants-revoke.ts")).grantsRevokeCommand,
        },
      },
    },
    key: keyEntries(loadManaged),
    status: {
      summary: "Show store status",
      load: async () => (await import("./status.ts")).eventsStatusCommand,
    },
    ...backupEntries(loadManaged),
  },
};
