import { defineCommand } from "../../command.ts";
import { formatTime } from "../../format.ts";
import { withSyncAdministration } from "./open-store.ts";

export const command = defineCommand({
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
