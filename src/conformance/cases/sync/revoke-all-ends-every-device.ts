import { NotTestable } from "../../case.ts";
import { violate } from "../../expect.ts";
import { expectRevoked } from "../../sync/bodies.ts";
import { expectAlive, expectSignedOut } from "../../sync/device.ts";
import type { SyncCase } from "../../sync/target.ts";

export const revokeAllEndsEveryDevice: SyncCase = {
  id: "revoke-all-ends-every-device",
  title: "POST /v1/revoke with scope all ends every device's session at once",
  section: "sync contract, POST /v1/revoke: every device",
  async run(target) {
    if (target.input.allowRevokeAll !== true) {
      throw new NotTestable("It would sign every device out; allow it with --allow-revoke-all");
    }
    const [device, other] = [await target.signIn(), await target.signIn()];
    const answer = await device.post("/v1/revoke", { scope: "all" });
    const { revoked } = expectRevoked(answer);
    if (revoked < 2) violate(answer.asked, "at least two devices", String(revoked));
    await expectSignedOut(device, target.api);
    await expectSignedOut(other, target.api);
    await expectAlive(await target.signIn());
  },
};
