import { expectTokens, expectError } from "../../sync/bodies.ts";
import { expectAlive, expectSignedOut, createTestDevice } from "../../sync/device.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

/** Within two seconds of the first use it is a race of one sender, and ends nothing. */
const AFTER_THE_RACE_MS = 2_500;

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
    await new Promise((resolve) => setTimeout(resolve, AFTER_THE_RACE_MS));
    expectError(await target.post("/v1/token", grant), "invalid_grant");
    await expectSignedOut(device, target.api);
  },
};
