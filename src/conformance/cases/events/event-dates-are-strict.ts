import { isDateTime } from "../../../contract/date-time.ts";
import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const eventDatesAreStrict: EventsCase = {
  id: "event-dates-are-strict",
  level: "trellis",
  title: "A date is YYYY-MM-DD or RFC 3339 with an offset, and created_at is RFC 3339",
  section: "Trellis decision, events service: events, date",
  async run(target) {
    await expectEach(await someEvents(target), ({ id, date, created_at: at }) => {
      const isDay = typeof date === "string" && /^\d{4}-\d{2}-\d{2}$/.test(date);
      if (date !== null && !isDay && !(typeof date === "string" && isDateTime(date))) {
        violate(EVENTS, `a strict date of ${describeValue(id)}`, describeValue(date));
      }
      if (at !== null && !(typeof at === "string" && isDateTime(at))) {
        violate(EVENTS, `an RFC 3339 created_at of ${describeValue(id)}`, describeValue(at));
      }
    });
  },
};
