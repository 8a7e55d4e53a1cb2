import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const codesAreBoundToTheirClient: EventsCase = {
  id: "codes-are-bound-to-their-client",
  level: "contract",
  title: "A code is not exchanged for another client than that of its request",
  section: "events contract, POST /api/oauth/token: client_id (RFC 6749 4.1.3)",
  async run(target) {
    const grant = await target.newGrant();
    expectFailure(await target.redeem({ ...grant, client_id: `nobody-${randomText(12)}` }));
  },
};
