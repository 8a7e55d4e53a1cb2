import { expectTokenResponse } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";

export const tokenAnswerHasItsMembers: EventsCase = {
  id: "token-answer-has-its-members",
  level: "trellis",
  title: "The token response has exactly its four members",
  section: "Trellis decision, events service: token, success",
  async run(target) {
    expectTokenResponse(await target.redeemed());
  },
};
