import { parseEventDate } from "../../../rules/events/client/event-date.ts";
import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const eventDatesAreIso8601: EventsCase = {
  id: "event-dates-are-iso-8601",
  level: "contract",
  title: "A date is an ISO 8601 date or date-time in the calendar, null, or not there",
  section: "events contract, Event: date; import rule 2",
  async run(target) {
    await expectEach(await someEvents(target), ({ id, date = null }) => {
      if (date === null || (typeof date === "string" && parseEventDate(date) !== null)) return;
      violate(EVENTS, `a date of ${describeValue(id)} in ISO 8601`, describeValue(date));
    });
  },
};
