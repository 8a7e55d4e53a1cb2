import { defineCommand, CommandError, flag, UsageError } from "../../command.ts";
import { formatTime, formatCount } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
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
  options: {
    all: flag("Sign out every device, and every browser from the owner's page"),
    ...PLAN_OPTIONS,
  },
  examples: ["trellis sync devices revoke phone-1", "trellis sync devices revoke --all --yes"],
  async run(context) {
    const { id } = context.args;
    if ((id === undefined) === !context.options.all) {
      throw new UsageError("Name one device, or give --all");
    }
    const revoked = await withSyncAdministration(context, "change", async (administration) => {
      const present = (await administration.listDevices()).map(({ deviceId }) => deviceId);
      const devices = present.filter((deviceId) => id === undefined || deviceId === id);
      if (id !== undefined && devices.length === 0) throw noDeviceError(id);
      const browsers = id === undefined ? " and all browsers" : "";
      await confirmPlan(context, {
        consequence: `This signs out ${id === undefined ? formatCount(devices.length, "device") : `"${id}"`}${browsers}: people must sign in there again`,
        plan: { devices },
      });
      if (id === undefined) return administration.revokeAllDevices();
      if (await administration.revokeDevice(id)) return 1;
      throw noDeviceError(id);
    });
    context.print(
      `Signed out ${formatCount(revoked, "device")}${id === undefined ? " and all browsers" : ""}`,
    );
    context.json({ revoked });
  },
});

function noDeviceError(id: string): CommandError {
  return new CommandError(`No device "${id}" is signed in: see \`trellis sync devices list\``);
}
