import type { Fields } from "../../events/authorize.ts";
import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const wrongRedemptionsBurnTheCode: EventsCase = {
  id: "wrong-redemptions-burn-the-code",
  level: "trellis",
  title: "A wrong verifier, a malformed one or a wrong redirect URI burns the code",
  section: "Trellis decision, events service: token, the code is burned",
  async run(target) {
    const changes: Fields[] = [
      { code_verifier: randomText(64) },
      { code_verifier: "short" },
      { redirect_uri: `${target.redirectUri}x` },
    ];
    await expectEach(changes, async (change) => {
      const grant = await target.newGrant();
      expectError(await target.redeem({ ...grant, ...change }), "invalid_grant");
      expectError(await target.redeem(grant), "invalid_grant");
    });
  },
};
