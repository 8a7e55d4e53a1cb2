import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const eventTextsAreTextOrNull: EventsCase = {
  id: "event-texts-are-text-or-null",
  level: "contract",
  title: "subject_name and title are strings, null, or not there",
  section: "events contract, Event: subject_name, title",
  async run(target) {
    await expectEach(await someEvents(target), (event) => {
      for (const name of ["subject_name", "title"]) {
        const value = event[name] ?? null;
        if (value === null || typeof value === "string") continue;
        violate(EVENTS, `${name} of ${describeValue(event["id"])} as text`, describeValue(value));
      }
    });
  },
};
