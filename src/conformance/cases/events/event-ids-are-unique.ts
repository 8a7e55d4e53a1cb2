import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const eventIdsAreUnique: EventsCase = {
  id: "event-ids-are-unique",
  level: "contract",
  title: "No id is listed twice",
  section: "events contract, Event: id, prevents duplicate imports",
  async run(target) {
    const seen = new Set<unknown>();
    await expectEach(await someEvents(target), ({ id }) => {
      if (seen.has(id)) violate(EVENTS, "each id once", `${describeValue(id)} twice`);
      seen.add(id);
    });
  },
};
