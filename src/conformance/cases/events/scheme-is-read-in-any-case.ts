import type { EventsCase } from "../../events/target.ts";
import { expectEach, expectStatus } from "../../expect.ts";

export const schemeIsReadInAnyCase: EventsCase = {
  id: "scheme-is-read-in-any-case",
  level: "trellis",
  title: "The scheme Bearer is read in any case",
  section: "Trellis decision, events service: events, the header (RFC 9110 11.1)",
  async run(target) {
    const token = await target.token();
    await expectEach(["bearer", "BEARER"], async (scheme) => {
      expectStatus(await target.list("limit=1", { Authorization: `${scheme} ${token}` }), 200);
    });
  },
};
