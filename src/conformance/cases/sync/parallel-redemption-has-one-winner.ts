import { expectEach, violate } from "../../expect.ts";
import { expectTokens, expectError } from "../../sync/bodies.ts";
import { expectAlive, createTestDevice } from "../../sync/device.ts";
import { obtainGrant } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const parallelRedemptionHasOneWinner: SyncCase = {
  id: "parallel-redemption-has-one-winner",
  title: "Of parallel redemptions exactly one gets tokens, and the others do not end its session",
  section:
    "sync contract, States and transitions 1: atomically; Trellis decision, sync service: parallel redemption",
  async run(target) {
    const grant = await obtainGrant(target);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => target.post("/v1/token", grant)),
    );
    const winners = answers.filter(({ status }) => status === 200);
    const [winner] = winners;
    if (winner === undefined || winners.length > 1) {
      violate("POST /v1/token, eight at once", "one winner", `${winners.length}`);
    }
    await expectEach(answers, (answer) => {
      if (answer !== winner) expectError(answer, "invalid_grant");
    });
    await expectAlive(createTestDevice(target.api, expectTokens(winner)));
  },
};
