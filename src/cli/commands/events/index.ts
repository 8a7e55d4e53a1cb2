/** `trellis events …`: everything the operator of an events service does. */
import type { CommandGroup } from "../../command.ts";
import { accountCreateCommand } from "./account-create.ts";
import { accountListCommand } from "./account-list.ts";
import { accountPasswordCommand } from "./account-password.ts";
import { backupCommand } from "./backup.ts";
import { grantsListCommand } from "./grants-list.ts";
import { grantsRevokeCommand } from "./grants-revoke.ts";
import { importCommand } from "./import.ts";
import { refreshCommand } from "./refresh.ts";
import { restoreCommand } from "./restore.ts";
import { statusCommand } from "./status.ts";
import { subscribeCommand } from "./subscribe.ts";
import { subscriptionsListCommand } from "./subscriptions-list.ts";
import { unsubscribeCommand } from "./unsubscribe.ts";
import { verifyCommand } from "./verify.ts";

export const eventsCommands: CommandGroup = {
  summary: "Look after an events service",
  commands: {
    account: {
      summary: "The people who have events here",
      commands: {
        create: accountCreateCommand,
        list: accountListCommand,
        password: accountPasswordCommand,
      },
    },
    import: importCommand,
    subscribe: subscribeCommand,
    subscriptions: {
      summary: "The calendars that are fetched",
      commands: { list: subscriptionsListCommand },
    },
    refresh: refreshCommand,
    unsubscribe: unsubscribeCommand,
    grants: {
      summary: "The apps that may read events",
      commands: { list: grantsListCommand, revoke: grantsRevokeCommand },
    },
    status: statusCommand,
    backup: backupCommand,
    verify: verifyCommand,
    restore: restoreCommand,
  },
};
