import { defineCommand, CommandError, flag, UsageError } from "../../command.ts";
import { formatTime, formatCount } from "../../format.ts";
import { withSyncAdministration } from "./open-store.ts";

export const listDevicesCommand = defineCommand({
  async run(context) {
    const sessions = await withSyncAdministration(context, "read", ({ listDevices }) =>
      listDevices(),
    );
    const devices = sessions.map((session) => ({
      deviceId: session.deviceId,
      createdAt: formatTime(session.createdAt),
      lastUsedAt: formatTime(session.lastUsedAt),
      expiresAt: formatTime(Math.min(session.idleExpiresAt, session.absoluteExpiresAt)),
    }));
    if (devices.length === 0) context.print("No device is signed in");
    for (const { deviceId, createdAt, lastUsedAt, expiresAt } of devices) {
      context.print(
        deviceId,
        `  signed in ${createdAt}, last used ${lastUsedAt}, expires ${expiresAt} unless used`,
      );
    }
    context.json({ devices });
  },
});

export const revokeDevicesCommand = defineCommand({
  description:
    "Takes effect with the device's next request. The device keeps the data it already has, and nothing is removed from the store.",
  arguments: { id: { description: "The device's id, as `devices list` shows it", isId: true } },
  options: { all: flag("Sign out every device, and every browser from the owner's page") },
  examples: ["trellis sync devices revoke phone-1", "trellis sync devices revoke --all"],
  async run(context) {
    const { id } = context.args;
    if ((id === undefined) === !context.options.all) {
      throw new UsageError("Name one device, or give --all");
    }
    const revoked = await withSyncAdministration(context, "change", async (administration) => {
      if (id === undefined) return administration.revokeAllDevices();
      return (await administration.revokeDevice(id)) ? 1 : 0;
    });
    if (id !== undefined && revoked === 0) {
      throw new CommandError(`No device "${id}" is signed in: see \`trellis sync devices list\``);
    }
    context.print(
      `Signed out ${formatCount(revoked, "device")}${id === undefined ? " and all browsers" : ""}`,
    );
    context.json({ revoked });
  },
});
