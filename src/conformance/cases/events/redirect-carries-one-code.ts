import { AUTHORIZE } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const redirectCarriesOneCode: EventsCase = {
  id: "redirect-carries-one-code",
  level: "contract",
  title: "The redirect has exactly one code, in its query",
  section: "events contract, GET /api/oauth/authorize: after authorization; Authentication 2",
  async run(target) {
    const { address, returned } = await target.arrival();
    const codes = returned.getAll("code");
    if (codes.length !== 1 || codes[0] === "") {
      violate(AUTHORIZE, "one code in the query", `${codes.length} codes`);
    }
    if (returned.has("error")) violate(AUTHORIZE, "no error beside the code", "an error");
    if (/#.*code=/.test(address)) violate(AUTHORIZE, "no code in the fragment", "one");
  },
};
