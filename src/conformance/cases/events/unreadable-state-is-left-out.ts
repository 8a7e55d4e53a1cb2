import { askToAuthorize, describeRedirect, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, violate } from "../../expect.ts";

export const unreadableStateIsLeftOut: EventsCase = {
  id: "unreadable-state-is-left-out",
  level: "trellis",
  title: "A state that is not UTF-8 in correct escapes is invalid_request, and is not given back",
  section: "Trellis decision, events service: authorize, state that is not UTF-8",
  async run(target) {
    await expectEach(["%ff", "%zz", "%C3"], async (state) => {
      const answer = await askToAuthorize(target, { state: undefined }, `&state=${state}`);
      const returned = expectRefusal(target, answer, "invalid_request");
      if (returned.has("state")) violate(answer.asked, "no state", describeRedirect(answer));
    });
  },
};
