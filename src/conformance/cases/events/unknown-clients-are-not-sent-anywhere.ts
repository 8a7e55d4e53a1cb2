import { askToAuthorize, describeRedirect, readReturn } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";
import { randomText } from "../../primitives.ts";

export const unknownClientsAreNotSentAnywhere: EventsCase = {
  id: "unknown-clients-are-not-sent-anywhere",
  level: "contract",
  title:
    "An authorization request of a client that nobody knows is not redirected to the address it names",
  section: "events contract, Authentication 1, OAuth authorization-code flow (RFC 6749 4.1.2.1)",
  async run(target) {
    const answer = await askToAuthorize(target, { client_id: `nobody-${randomText(12)}` });
    const location = answer.header("Location") ?? "";
    if (readReturn(location, target.redirectUri) !== null) {
      violate(answer.asked, "no redirect to the address", describeRedirect(answer));
    }
  },
};
