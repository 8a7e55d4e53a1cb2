import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { expectAlive } from "../../sync/device.ts";
import type { SyncCase } from "../../sync/target.ts";

export const revokeTakesDeviceOrAll: SyncCase = {
  id: "revoke-takes-device-or-all",
  title: "Any other scope is invalid_request and ends nothing",
  section: "Trellis decision, sync service: POST /v1/revoke",
  async run(target) {
    const device = await target.signIn();
    const wrong = [
      { scope: "none" },
      { scope: "ALL" },
      { scope: ["all"] },
      { scope: null },
      { scope: true },
      { all: true },
    ];
    await expectEach(wrong, async (body) => {
      expectError(await device.post("/v1/revoke", body), "invalid_request");
    });
    await expectAlive(device);
  },
};
