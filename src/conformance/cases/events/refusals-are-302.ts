import { askToAuthorize, expectAccepted, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

export const refusalsAre302: EventsCase = {
  id: "refusals-are-302",
  level: "trellis",
  title: "A redirect from a GET is a 302",
  section: "Trellis decision, events service: redirects from a GET",
  async run(target) {
    const answer = await askToAuthorize(target, { response_type: "token" });
    expectRefusal(target, answer, "unsupported_response_type");
    expectStatus(answer, 302);
    const accepted = await askToAuthorize(target);
    expectAccepted(target, accepted);
    expectStatus(accepted, 302);
  },
};
