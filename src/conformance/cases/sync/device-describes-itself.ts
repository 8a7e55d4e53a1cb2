import { ACCESS_LIFETIME_SECONDS } from "../../../contract/sync/values.ts";
import { expectSame, violate } from "../../expect.ts";
import { expectDevice } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const deviceDescribesItself: SyncCase = {
  id: "device-describes-itself",
  title: "GET /v1/device answers exactly the device and its times",
  section: "sync contract, GET /v1/device; Trellis decision, sync service: its body",
  async run(target) {
    const device = await target.device();
    const answer = await device.get("/v1/device");
    const { deviceId, accessExpiresAt, createdAt, lastUsedAt, refreshExpiresAt } =
      expectDevice(answer);
    expectSame(answer, "deviceId", deviceId, device.deviceId);
    expectSame(
      answer,
      "refreshExpiresAt",
      Date.parse(refreshExpiresAt),
      Date.parse(device.tokens.refreshExpiresAt),
    );
    const created = Date.parse(createdAt);
    if (Date.parse(lastUsedAt) < created)
      violate(answer.asked, "a use after the sign-in", lastUsedAt);
    const lifetime = accessExpiresAt - created / 1000;
    // The shared device signed in minutes ago at most, and its token lives for five.
    if (lifetime > 0 && lifetime <= 2 * ACCESS_LIFETIME_SECONDS) return;
    violate(answer.asked, "accessExpiresAt in Unix seconds, minutes away", String(accessExpiresAt));
  },
};
