import { expectSame } from "../../expect.ts";
import { expectTokens } from "../../sync/bodies.ts";
import { expectAlive, createTestDevice } from "../../sync/device.ts";
import { refreshWith, refreshOk } from "../../sync/refresh.ts";
import type { SyncCase } from "../../sync/target.ts";

export const refreshRetryGetsTheSameSuccessor: SyncCase = {
  id: "refresh-retry-gets-the-same-successor",
  title:
    "A refresh that is repeated because its answer was lost gets the very same refresh token, and it works",
  section: "Trellis decision, sync service: refresh tokens, a lost response",
  async run(target) {
    const device = await target.signIn();
    const { refreshToken } = device.tokens;
    const first = await refreshOk(target, refreshToken);
    const answer = await refreshWith(target, refreshToken);
    const retried = expectTokens(answer);
    expectSame(
      answer,
      "whether the successor is the same",
      retried.refreshToken === first.refreshToken,
      true,
    );
    await expectAlive(createTestDevice(target.api, retried));
    await expectAlive(createTestDevice(target.api, await refreshOk(target, first.refreshToken)));
  },
};
