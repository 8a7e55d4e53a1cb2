import type { EventsCase } from "../../events/target.ts";

export const redirectGoesToTheSuppliedUri: EventsCase = {
  id: "redirect-goes-to-the-supplied-uri",
  level: "contract",
  title:
    "After the person allowed it, the browser goes to the redirect URI that the client supplied",
  section: "events contract, GET /api/oauth/authorize: after authorization",
  async run(target) {
    // An arrival is one at the address of the client, or none.
    await target.arrival();
  },
};
