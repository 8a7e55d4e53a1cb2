import type { Fields } from "../../events/authorize.ts";
import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

const NAMES = ["grant_type", "client_id", "code", "redirect_uri", "code_verifier"];

export const tokenMembersAreNeeded: EventsCase = {
  id: "token-members-are-needed",
  level: "trellis",
  title: "A member that is missing or empty is invalid_request",
  section: "Trellis decision, events service: token, missing members",
  async run(target) {
    const fields: Fields = {
      grant_type: "authorization_code",
      code: randomText(43),
      client_id: target.clientId(),
      redirect_uri: target.redirectUri,
      code_verifier: randomText(64),
    };
    await expectEach(NAMES, async (name) => {
      expectError(await target.redeem({ ...fields, [name]: undefined }), "invalid_request");
      expectError(await target.redeem({ ...fields, [name]: "" }), "invalid_request");
    });
  },
};
