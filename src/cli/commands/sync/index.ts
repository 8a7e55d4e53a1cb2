/** `trellis sync …`: everything the operator of a sync service does. */
import type { CommandGroup } from "../../command.ts";
import { accountCreateCommand } from "./account-create.ts";
import { accountPasswordCommand } from "./account-password.ts";
import { backupCommand } from "./backup.ts";
import { compactCommand } from "./compact.ts";
import { devicesListCommand } from "./devices-list.ts";
import { devicesRevokeCommand } from "./devices-revoke.ts";
import { exportCommand } from "./export.ts";
import { restoreCommand } from "./restore.ts";
import { statusCommand } from "./status.ts";
import { verifyCommand } from "./verify.ts";

export const syncCommands: CommandGroup = {
  summary: "Look after a personal sync service",
  commands: {
    account: {
      summary: "The one account",
      commands: { create: accountCreateCommand, password: accountPasswordCommand },
    },
    devices: {
      summary: "The devices that are signed in",
      commands: { list: devicesListCommand, revoke: devicesRevokeCommand },
    },
    status: statusCommand,
    compact: compactCommand,
    backup: backupCommand,
    verify: verifyCommand,
    restore: restoreCommand,
    export: exportCommand,
  },
};
