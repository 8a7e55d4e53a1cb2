import { parseEventDate } from "../../../rules/events/client/event-date.ts";
import { someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, expectEach, violate } from "../../expect.ts";

export const createdAtIsIso8601: EventsCase = {
  id: "created-at-is-iso-8601",
  level: "contract",
  title: "created_at is an ISO 8601 date-time in the calendar, null, or not there",
  section: "events contract, Event: created_at",
  async run(target) {
    await expectEach(await someEvents(target), ({ id, created_at: at = null }) => {
      if (at === null || (typeof at === "string" && parseEventDate(at) !== null)) return;
      violate(EVENTS, `created_at of ${describeValue(id)} in ISO 8601`, describeValue(at));
    });
  },
};
