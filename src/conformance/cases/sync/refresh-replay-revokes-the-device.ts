import { expectError } from "../../sync/bodies.ts";
import { expectAlive, expectSignedOut, createTestDevice } from "../../sync/device.ts";
import { refreshWith, refreshOk } from "../../sync/refresh.ts";
import type { SyncCase } from "../../sync/target.ts";

export const refreshReplayRevokesTheDevice: SyncCase = {
  id: "refresh-replay-revokes-the-device",
  title: "A refresh token whose successor was used ends the device's session when it comes again",
  section: "Trellis decision, sync service: any other reuse revokes the device",
  async run(target) {
    const device = await target.signIn();
    const other = await target.signIn();
    const second = await refreshOk(target, device.tokens.refreshToken);
    const third = await refreshOk(target, second.refreshToken);
    expectError(await refreshWith(target, device.tokens.refreshToken), "invalid_refresh_token");
    await expectSignedOut(createTestDevice(target.api, third), target.api);
    expectError(await device.get("/v1/device"), "invalid_access_token");
    await expectAlive(other);
  },
};
