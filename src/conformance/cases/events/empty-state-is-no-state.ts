import { askToAuthorize, describeRedirect, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const emptyStateIsNoState: EventsCase = {
  id: "empty-state-is-no-state",
  level: "trellis",
  title: "A state without a value counts as absent",
  section: "Trellis decision, events service: authorize, empty parameters",
  async run(target) {
    const answer = await askToAuthorize(target, { response_type: undefined, state: "" });
    const returned = expectRefusal(target, answer, "invalid_request");
    if (returned.has("state")) violate(answer.asked, "no state", describeRedirect(answer));
  },
};
