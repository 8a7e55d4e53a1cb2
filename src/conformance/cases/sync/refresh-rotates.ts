import { expectSame, violate } from "../../expect.ts";
import { expectTokens } from "../../sync/bodies.ts";
import { expectAlive, createTestDevice } from "../../sync/device.ts";
import { refreshWith } from "../../sync/refresh.ts";
import type { SyncCase } from "../../sync/target.ts";

export const refreshRotates: SyncCase = {
  id: "refresh-rotates",
  title: "A refresh answers exactly new tokens of the same device, and both work",
  section: "sync contract, POST /v1/refresh; States and transitions 2",
  async run(target) {
    const device = await target.signIn();
    const answer = await refreshWith(target, device.tokens.refreshToken);
    const tokens = expectTokens(answer);
    expectSame(answer, "deviceId", tokens.deviceId, device.deviceId);
    if (tokens.refreshToken === device.tokens.refreshToken) {
      violate(answer.asked, "another refresh token", "the same");
    }
    if (tokens.accessToken === device.tokens.accessToken) {
      violate(answer.asked, "another access token", "the same");
    }
    await expectAlive(createTestDevice(target.api, tokens));
    expectTokens(await refreshWith(target, tokens.refreshToken));
  },
};
