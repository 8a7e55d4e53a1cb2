import { askToAuthorize, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";

export const responseTypeIsNeeded: EventsCase = {
  id: "response-type-is-needed",
  level: "trellis",
  title: "A request without a response type is invalid_request",
  section: "Trellis decision, events service: authorize, check 4",
  async run(target) {
    const answer = await askToAuthorize(target, { response_type: undefined });
    expectRefusal(target, answer, "invalid_request");
    expectRefusal(target, await askToAuthorize(target, { response_type: "" }), "invalid_request");
  },
};
