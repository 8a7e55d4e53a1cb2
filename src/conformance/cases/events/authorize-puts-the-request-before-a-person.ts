import { askToAuthorize, expectAccepted } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";

export const authorizePutsTheRequestBeforeAPerson: EventsCase = {
  id: "authorize-puts-the-request-before-a-person",
  level: "contract",
  title: "A right authorization request is answered with a page, or with the way to one",
  section: "events contract, GET /api/oauth/authorize",
  async run(target) {
    expectAccepted(target, await askToAuthorize(target));
  },
};
