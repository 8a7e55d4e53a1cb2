import { expectEach, expectSame } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import { expectAlive } from "../../sync/device.ts";
import { refreshWith, refreshOk } from "../../sync/refresh.ts";
import type { SyncCase } from "../../sync/target.ts";

export const wrongRefreshTokensRevokeNothing: SyncCase = {
  id: "wrong-refresh-tokens-revoke-nothing",
  title: "A refresh token that never was is invalid_refresh_token, and nobody is signed out",
  section: "Trellis decision, sync service: invalid_refresh_token",
  async run(target) {
    const device = await target.signIn();
    const { refreshToken, accessToken } = device.tokens;
    const middle = Math.floor(refreshToken.length / 2);
    const changed = refreshToken[middle] === "A" ? "B" : "A";
    const wrong = [
      "",
      "none",
      accessToken,
      `${refreshToken}A`,
      refreshToken.slice(0, -4),
      refreshToken.slice(0, middle) + changed + refreshToken.slice(middle + 1),
      `trs_rt_${"A".repeat(91)}`,
    ];
    const messages = new Set<string>();
    await expectEach(wrong, async (token) => {
      messages.add(expectError(await refreshWith(target, token), "invalid_refresh_token").message);
    });
    expectSame("POST /v1/refresh with wrong tokens", "number of messages", messages.size, 1);
    await expectAlive(device);
    await refreshOk(target, refreshToken);
  },
};
