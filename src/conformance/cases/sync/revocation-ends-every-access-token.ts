import { expectRevoked, expectError } from "../../sync/bodies.ts";
import { createTestDevice } from "../../sync/device.ts";
import { refreshOk } from "../../sync/refresh.ts";
import type { SyncCase } from "../../sync/target.ts";

export const revocationEndsEveryAccessToken: SyncCase = {
  id: "revocation-ends-every-access-token",
  title: "Access tokens from before a refresh end with the device too",
  section: "Trellis decision, sync service: revocation is immediate",
  async run(target) {
    const device = await target.signIn();
    const renewed = createTestDevice(
      target.api,
      await refreshOk(target, device.tokens.refreshToken),
    );
    expectRevoked(await renewed.post("/v1/revoke", { scope: "device" }));
    expectError(await renewed.get("/v1/device"), "invalid_access_token");
    expectError(await device.get("/v1/device"), "invalid_access_token");
    expectError(await device.get("/v1/pull"), "invalid_access_token");
  },
};
