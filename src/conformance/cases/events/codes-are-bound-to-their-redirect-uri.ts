import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const codesAreBoundToTheirRedirectUri: EventsCase = {
  id: "codes-are-bound-to-their-redirect-uri",
  level: "contract",
  title: "A code is not exchanged with another redirect URI than that of its request",
  section: "events contract, POST /api/oauth/token: redirect_uri (RFC 6749 4.1.3)",
  async run(target) {
    const grant = await target.newGrant();
    const elsewhere = `${target.redirectUri}/elsewhere`;
    expectFailure(await target.redeem({ ...grant, redirect_uri: elsewhere }));
  },
};
