import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const codesAreForTheirGrantType: EventsCase = {
  id: "codes-are-for-their-grant-type",
  level: "contract",
  title: "A code is not exchanged by another grant type than authorization_code",
  section: "events contract, POST /api/oauth/token: grant_type",
  async run(target) {
    const grant = await target.newGrant();
    expectFailure(await target.redeem({ ...grant, grant_type: "client_credentials" }));
  },
};
