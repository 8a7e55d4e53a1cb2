import { expectAnyToken, expectError } from "../../events/bodies.ts";
import { EVENTS, TOKEN, type EventsCase } from "../../events/target.ts";
import { expectEach, expectSame, expectStatus } from "../../expect.ts";

const TRIES = 20;

export const parallelRedemptionHasOneWinner: EventsCase = {
  id: "parallel-redemption-has-one-winner",
  level: "trellis",
  title: "Of 20 redemptions of one code at the same time exactly one gets a token, and keeps it",
  section: "Trellis decision, events service: token, parallel redemptions",
  async run(target) {
    const grant = await target.newGrant();
    const answers = await Promise.all(Array.from({ length: TRIES }, () => target.redeem(grant)));
    const winners = answers.filter(({ status }) => status === 200);
    expectSame(TOKEN, "tokens", winners.length, 1);
    await expectEach(answers, (answer) => {
      if (answer.status !== 200) expectError(answer, "invalid_grant");
    });
    const [winner] = winners;
    if (winner === undefined) return;
    const Authorization = `Bearer ${expectAnyToken(winner)}`;
    expectStatus(await target.api.get(`${EVENTS}?limit=1`, { Authorization }), 200);
  },
};
