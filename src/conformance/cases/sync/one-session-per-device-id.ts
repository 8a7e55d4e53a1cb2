import { expectAlive, expectSignedOut } from "../../sync/device.ts";
import type { SyncCase } from "../../sync/target.ts";

export const oneSessionPerDeviceId: SyncCase = {
  id: "one-session-per-device-id",
  title: "A new sign-in of a device ends its old session",
  section: "Trellis decision, sync service: one live session per deviceId",
  async run(target) {
    const old = await target.signIn();
    const device = await target.signIn(old.deviceId);
    await expectSignedOut(old, target.api);
    await expectAlive(device);
  },
};
