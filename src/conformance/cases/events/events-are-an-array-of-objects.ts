import { expectAnyEvents } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";

export const eventsAreAnArrayOfObjects: EventsCase = {
  id: "events-are-an-array-of-objects",
  level: "contract",
  title: "The member events, where it is there, is an array of objects",
  section: "events contract, Events response: events",
  async run(target) {
    expectAnyEvents(await target.list(query(CLIENT_LIMIT)));
  },
};
