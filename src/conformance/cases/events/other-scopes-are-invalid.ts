import { askToAuthorize, expectAccepted, expectRefusal } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

export const otherScopesAreInvalid: EventsCase = {
  id: "other-scopes-are-invalid",
  level: "trellis",
  title: "Another scope than read:events is invalid_scope; none, or it twice, means read:events",
  section: "Trellis decision, events service: authorize, check 7",
  async run(target) {
    await expectEach(["write:events", "read:events openid", "READ:EVENTS"], async (scope) => {
      expectRefusal(target, await askToAuthorize(target, { scope }), "invalid_scope");
    });
    await expectEach([undefined, "", "read:events read:events"], async (scope) => {
      expectAccepted(target, await askToAuthorize(target, { scope }));
    });
  },
};
