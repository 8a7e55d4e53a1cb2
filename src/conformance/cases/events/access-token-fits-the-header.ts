import { expectAnyToken } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const accessTokenFitsTheHeader: EventsCase = {
  id: "access-token-fits-the-header",
  level: "contract",
  title: "An access token can be sent as Authorization: Bearer",
  section: "events contract, Authentication 3 (RFC 6750 2.1)",
  async run(target) {
    const answer = await target.redeemed();
    if (/^[A-Za-z0-9._~+/-]+=*$/.test(expectAnyToken(answer))) return;
    violate(answer.asked, "a token of the characters that RFC 6750 allows", "one with others");
  },
};
