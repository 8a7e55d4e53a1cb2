import { expectError } from "../../events/bodies.ts";
import { TOKEN, type EventsCase } from "../../events/target.ts";
import { randomText } from "../../primitives.ts";

export const tokenChecksInOrder: EventsCase = {
  id: "token-checks-in-order",
  level: "trellis",
  title: "Of several faults of a token request the first in the order of the checks is the answer",
  section: "Trellis decision, events service: token, the order of the checks",
  async run(target) {
    const Authorization = "Basic eDp5";
    const nobody = { client_id: `nobody-${randomText(12)}` };
    const twice = await target.postForm(TOKEN, "x=1&x=1&grant_type=x", { Authorization });
    expectError(twice, "invalid_request");
    const basic = await target.postForm(TOKEN, { grant_type: "x", ...nobody }, { Authorization });
    expectError(basic, "invalid_client");
    expectError(await target.redeem(nobody), "invalid_request");
    expectError(await target.redeem({ grant_type: "x", ...nobody }), "unsupported_grant_type");
    const members = { grant_type: "authorization_code", code: "x", redirect_uri: "x" };
    expectError(await target.redeem({ ...members, ...nobody }), "invalid_request");
    const whole = { ...members, ...nobody, code_verifier: "x" };
    expectError(await target.redeem(whole), "invalid_client");
  },
};
