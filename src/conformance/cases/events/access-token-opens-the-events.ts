import { expectAnyToken } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectStatus } from "../../expect.ts";

export const accessTokenOpensTheEvents: EventsCase = {
  id: "access-token-opens-the-events",
  level: "contract",
  title: "The access token that was given opens the list of events",
  section: "events contract, GET /api/events; Authentication 3",
  async run(target) {
    const Authorization = `Bearer ${expectAnyToken(await target.redeemed())}`;
    expectStatus(await target.api.get(`${EVENTS}?${query(CLIENT_LIMIT)}`, { Authorization }), 200);
  },
};
