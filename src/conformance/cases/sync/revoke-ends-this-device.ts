import { expectEach, expectSame } from "../../expect.ts";
import { expectRevoked } from "../../sync/bodies.ts";
import { expectAlive, expectSignedOut } from "../../sync/device.ts";
import type { SyncCase } from "../../sync/target.ts";

export const revokeEndsThisDevice: SyncCase = {
  id: "revoke-ends-this-device",
  title: "POST /v1/revoke ends the device's session at once, and no other",
  section:
    "sync contract, POST /v1/revoke; Trellis decision, sync service: revocation is immediate",
  async run(target) {
    const other = await target.signIn();
    await expectEach([{ scope: "device" }, {}], async (body) => {
      const device = await target.signIn();
      const answer = await device.post("/v1/revoke", body);
      expectSame(answer, "revoked", expectRevoked(answer).revoked, 1);
      await expectSignedOut(device, target.api);
    });
    await expectAlive(other);
  },
};
