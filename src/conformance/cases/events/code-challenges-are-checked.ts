import {
  askToAuthorize,
  expectAccepted,
  expectRefusal,
  type Fields,
} from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const codeChallengesAreChecked: EventsCase = {
  id: "code-challenges-are-checked",
  level: "trellis",
  title: "A challenge is 43 characters of Base64URL, and its method is S256",
  section: "Trellis decision, events service: authorize, check 6",
  async run(target) {
    const right = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const wrong: Fields[] = [
      { code_challenge: undefined },
      { code_challenge: right.slice(1) },
      { code_challenge: `${right}=` },
      { code_challenge: `${right.slice(1)}+` },
      { code_challenge_method: undefined },
      { code_challenge_method: "plain" },
      { code_challenge_method: "s256" },
    ];
    await expectEach(wrong, async (changes) => {
      expectRefusal(target, await askToAuthorize(target, changes), "invalid_request");
    });
    expectAccepted(target, await askToAuthorize(target, { code_challenge: right }));
  },
};
