import { expectFailure } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";

export const eventsNeedAToken: EventsCase = {
  id: "events-need-a-token",
  level: "contract",
  title: "Without a token there are no events",
  section: "events contract, GET /api/events; Authentication 3; Errors",
  async run({ api }) {
    expectFailure(await api.get(`${EVENTS}?${query(CLIENT_LIMIT)}`));
  },
};
