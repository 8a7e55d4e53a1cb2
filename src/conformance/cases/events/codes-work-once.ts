import { expectAnyToken, expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const codesWorkOnce: EventsCase = {
  id: "codes-work-once",
  level: "contract",
  title: "A code that was exchanged is not exchanged again",
  section: "events contract, Authentication 1, OAuth authorization-code flow (RFC 6749 4.1.2)",
  async run(target) {
    const grant = await target.newGrant();
    expectAnyToken(await target.redeem(grant));
    expectFailure(await target.redeem(grant));
  },
};
