import { CODE_RACE_SECONDS } from "../../../contract/identity.ts";
import { expectTokens, expectError } from "../../sync/bodies.ts";
import { expectAlive, expectSignedOut, createTestDevice } from "../../sync/device.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const laterUseOfACodeRevokesItsSession: SyncCase = {
  id: "later-use-of-a-code-revokes-its-session",
  title: "A code that is used again later ends the session that it opened",
  section: "Trellis decision, sync service: codes, a second use",
  async run(target) {
    const grant = await obtainGrant(target);
    const device = createTestDevice(
      target.api,
      expectTokens(await target.post("/v1/token", grant)),
    );
    await expectAlive(device);
    await new Promise((resolve) => setTimeout(resolve, CODE_RACE_SECONDS * 1000 + 500));
    expectError(await target.post("/v1/token", grant), "invalid_grant");
    await expectSignedOut(device, target.api);
  },
};
