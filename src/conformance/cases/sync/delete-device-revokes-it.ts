import { expectSame } from "../../expect.ts";
import { expectRevoked } from "../../sync/bodies.ts";
import { expectAlive, expectSignedOut } from "../../sync/device.ts";
import type { SyncCase } from "../../sync/target.ts";

export const deleteDeviceRevokesIt: SyncCase = {
  id: "delete-device-revokes-it",
  title: "DELETE /v1/device ends the device's session at once, and no other",
  section: "sync contract, DELETE /v1/device",
  async run(target) {
    const [device, other] = [await target.signIn(), await target.signIn()];
    const answer = await target.api.send("DELETE", "/v1/device", device.bearer);
    expectSame(answer, "revoked", expectRevoked(answer).revoked, 1);
    await expectSignedOut(device, target.api);
    await expectAlive(other);
  },
};
