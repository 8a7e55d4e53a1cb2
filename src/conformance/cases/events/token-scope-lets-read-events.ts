import { SCOPE } from "../../../contract/events/values.ts";
import { expectObject } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { describeValue, violate } from "../../expect.ts";

export const tokenScopeLetsReadEvents: EventsCase = {
  id: "token-scope-lets-read-events",
  level: "contract",
  title: "A scope, where there is one, has read:events",
  section: "events contract, Token response: scope",
  async run(target) {
    const answer = await target.redeemed();
    const { scope } = expectObject(answer);
    if (scope === undefined || (typeof scope === "string" && scope.split(" ").includes(SCOPE)))
      return;
    violate(answer.asked, `a scope with ${SCOPE}`, describeValue(scope));
  },
};
