import { askToAuthorize, describeRedirect } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

const FOREIGN = "https://elsewhere.example/callback";

export const unregisteredRedirectUrisAreNotFollowed: EventsCase = {
  id: "unregistered-redirect-uris-are-not-followed",
  level: "contract",
  title: "The browser is never sent to a redirect URI that is not the client's",
  section: "events contract, Authentication 1, OAuth authorization-code flow (RFC 6749 3.1.2.4)",
  async run(target) {
    const answer = await askToAuthorize(target, { redirect_uri: FOREIGN });
    if ((answer.header("Location") ?? "").startsWith(FOREIGN)) {
      violate(answer.asked, "no redirect to it", describeRedirect(answer));
    }
    if (
      answer.status === 200 &&
      new TextDecoder().decode(answer.body).includes(`href="${FOREIGN}`)
    ) {
      violate(answer.asked, "no link to it", "a page that links to it");
    }
  },
};
