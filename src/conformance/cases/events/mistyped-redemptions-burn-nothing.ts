import type { Fields } from "../../events/authorize.ts";
import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectStatus } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const mistypedRedemptionsBurnNothing: EventsCase = {
  id: "mistyped-redemptions-burn-nothing",
  level: "trellis",
  title: "A request that is refused before the code is looked at leaves the code as it was",
  section: "Trellis decision, events service: token, what burns a code",
  async run(target) {
    const grant = await target.newGrant();
    const faults: Fields[] = [
      { grant_type: "password" },
      { code_verifier: undefined },
      { client_id: `nobody-${randomText(12)}` },
    ];
    await expectEach(faults, async (fault) => {
      expectFailure(await target.redeem({ ...grant, ...fault }));
    });
    expectStatus(await target.redeem(grant), 200);
  },
};
