import { askToAuthorize, expectAccepted } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";

export const unknownAuthorizeParametersAreIgnored: EventsCase = {
  id: "unknown-authorize-parameters-are-ignored",
  level: "trellis",
  title: "A parameter that nobody knows is ignored, however often it comes",
  section: "Trellis decision, events service: authorize, unknown parameters",
  async run(target) {
    const answer = await askToAuthorize(target, { prompt: "login" }, "&x=1&x=2&y=%ff");
    expectAccepted(target, answer);
  },
};
