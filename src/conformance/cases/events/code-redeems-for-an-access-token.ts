import { expectAnyToken } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const codeRedeemsForAnAccessToken: EventsCase = {
  id: "code-redeems-for-an-access-token",
  level: "contract",
  title: "A code and its verifier are exchanged for an access token, with status 200",
  section: "events contract, POST /api/oauth/token; Token response",
  async run(target) {
    expectAnyToken(await target.redeemed());
  },
};
