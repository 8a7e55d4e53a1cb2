import { expectSame } from "../../expect.ts";
import { expectTokens } from "../../sync/bodies.ts";
import { expectAlive, createTestDevice } from "../../sync/device.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const codeRedeemsForTokens: SyncCase = {
  id: "code-redeems-for-tokens",
  title: "A code answers exactly the tokens of its device",
  section: "sync contract, POST /v1/token; Trellis decision, sync service: its body",
  async run(target) {
    const deviceId = target.newId("device");
    const grant = await obtainGrant(target, { deviceId });
    const answer = await target.post("/v1/token", grant);
    const tokens = expectTokens(answer);
    expectSame(answer, "deviceId", tokens.deviceId, deviceId);
    await expectAlive(createTestDevice(target.api, tokens));
  },
};
