import {
  askToAuthorize,
  authorizePath,
  expectRefusal,
  newAttempt,
} from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectSame, violate } from "../../expect.ts";

const NAMES = [
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "scope",
  "response_mode",
];

export const repeatedAuthorizeParametersAreInvalid: EventsCase = {
  id: "repeated-authorize-parameters-are-invalid",
  level: "trellis",
  title:
    "A parameter that comes twice is invalid_request; a state that comes twice is not given back",
  section: "Trellis decision, events service: authorize, check 3",
  async run(target) {
    await expectEach(NAMES, async (name) => {
      const { fields, state } = await newAttempt(target, { response_mode: "query" });
      const path = `${authorizePath({ fields })}&${name}=${encodeURIComponent(fields[name] ?? "")}`;
      const returned = expectRefusal(target, await target.api.get(path), "invalid_request");
      expectSame(path, "state", returned.get("state"), state);
    });
    const answer = await askToAuthorize(target, {}, "&state=another");
    const returned = expectRefusal(target, answer, "invalid_request");
    if (returned.has("state")) violate(answer.asked, "no state", "one");
  },
};
