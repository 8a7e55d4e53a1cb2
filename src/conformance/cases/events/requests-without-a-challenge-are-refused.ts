import {
  askToAuthorize,
  describeRedirect,
  readReturn,
  type Fields,
} from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, violate } from "../../expect.ts";

export const requestsWithoutAChallengeAreRefused: EventsCase = {
  id: "requests-without-a-challenge-are-refused",
  level: "contract",
  title: "A request without an S256 challenge is not put before a person",
  section: "events contract, Authentication 1: PKCE S256 (RFC 7636 4.4.1)",
  async run(target) {
    const requests: Fields[] = [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: "plain" },
    ];
    await expectEach(requests, async (changes) => {
      const answer = await askToAuthorize(target, changes);
      const location = answer.header("Location") ?? "";
      const returned = readReturn(location, target.redirectUri);
      if (answer.status >= 400 || (returned?.has("error") === true && !returned.has("code")))
        return;
      violate(answer.asked, "an error", describeRedirect(answer));
    });
  },
};
