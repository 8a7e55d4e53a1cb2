import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

export const cookiesOpenNoEvents: EventsCase = {
  id: "cookies-open-no-events",
  level: "trellis",
  title: "The session of a signed-in person opens no events",
  section: "Trellis decision, events service: events, the cookie is never accepted",
  async run(target) {
    const answer = await (await target.signedIn()).get(`${EVENTS}?limit=1`);
    expectStatus(answer, 401);
  },
};
