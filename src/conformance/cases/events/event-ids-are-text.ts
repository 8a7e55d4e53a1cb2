import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const eventIdsAreText: EventsCase = {
  id: "event-ids-are-text",
  level: "contract",
  title: "Every event has an id that is a string and not empty",
  section: "events contract, Event: id",
  async run(target) {
    await expectEach(await someEvents(target), ({ id }) => {
      if (typeof id !== "string" || id === "") {
        violate(EVENTS, "an id that is a string", describeValue(id));
      }
    });
  },
};
