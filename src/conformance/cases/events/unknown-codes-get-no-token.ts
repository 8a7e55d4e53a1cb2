import { expectFailure } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const unknownCodesGetNoToken: EventsCase = {
  id: "unknown-codes-get-no-token",
  level: "contract",
  title: "A code that was never given is answered with a status other than 200",
  section: "events contract, POST /api/oauth/token; Errors",
  async run(target) {
    const answer = await target.redeem({
      grant_type: "authorization_code",
      code: randomText(43),
      client_id: target.clientId(),
      redirect_uri: target.redirectUri,
      code_verifier: randomText(64),
    });
    expectFailure(answer);
  },
};
