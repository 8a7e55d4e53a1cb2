import { askToAuthorize, describeRedirect, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, violate } from "../../expect.ts";

export const otherResponseTypesAreUnsupported: EventsCase = {
  id: "other-response-types-are-unsupported",
  level: "trellis",
  title: "Another response type than code is unsupported_response_type, said in the query",
  section: "Trellis decision, events service: authorize, check 5",
  async run(target) {
    await expectEach(["token", "id_token", "code token", "Code"], async (type) => {
      const answer = await askToAuthorize(target, { response_type: type });
      expectRefusal(target, answer, "unsupported_response_type");
      if (answer.header("Location")?.includes("#") === true) {
        violate(answer.asked, "no fragment", describeRedirect(answer));
      }
    });
  },
};
