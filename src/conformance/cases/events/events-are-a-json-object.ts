import { expectJsonType, expectObject } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";

export const eventsAreAJsonObject: EventsCase = {
  id: "events-are-a-json-object",
  level: "contract",
  title: "The list of events is a JSON object with status 200",
  section: "events contract, GET /api/events; Events response",
  async run(target) {
    const answer = await target.list(query(CLIENT_LIMIT));
    expectObject(answer);
    expectJsonType(answer);
  },
};
