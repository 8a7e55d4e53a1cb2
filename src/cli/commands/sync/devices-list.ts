import type { DeviceSession } from "../../../sync/store.ts";
import { defineCommand } from "../../command.ts";
import { withAdministration } from "./open-store.ts";
import { toTime } from "../../to-time.ts";

export const devicesListCommand = defineCommand({
  summary: "Show the devices that are signed in",
  async run(context) {
    const sessions = await withAdministration(context, (administration) =>
      administration.listDevices(),
    );
    const devices = sessions.map(describe);
    if (devices.length === 0) context.print("No device is signed in");
    for (const { deviceId, createdAt, lastUsedAt, expiresAt } of devices) {
      context.print(
        `${deviceId}\n  signed in ${createdAt}, last used ${lastUsedAt}, ends ${expiresAt} unless used`,
      );
    }
    context.json({ devices });
  },
});

function describe(session: DeviceSession) {
  return {
    deviceId: session.deviceId,
    createdAt: toTime(session.createdAt),
    lastUsedAt: toTime(session.lastUsedAt),
    expiresAt: toTime(Math.min(session.idleExpiresAt, session.absoluteExpiresAt)),
  };
}
