import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const eventTypesAreText: EventsCase = {
  id: "event-types-are-text",
  level: "contract",
  title: "Every event has a type that is a string",
  section: "events contract, Event: type",
  async run(target) {
    await expectEach(await someEvents(target), ({ id, type }) => {
      if (typeof type === "string") return;
      violate(EVENTS, `a type of ${describeValue(id)} that is a string`, describeValue(type));
    });
  },
};
