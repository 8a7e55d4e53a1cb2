import { parseDateTime } from "../../../contract/date-time.ts";
import { expectList } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { describeValue, violate } from "../../expect.ts";

// A clock of the Date header has whole seconds, and the answer takes a moment.
const MARGIN_MS = 5_000;

export const serverTimeIsNow: EventsCase = {
  id: "server-time-is-now",
  level: "trellis",
  title: "server_time is the time of the answer",
  section: "Trellis decision, events service: events, server_time",
  async run(target) {
    const answer = await target.list("limit=1");
    const at = parseDateTime(expectList(answer).server_time) ?? 0;
    const date = Date.parse(answer.header("Date") ?? "");
    if (!(Math.abs(date - at) <= MARGIN_MS)) {
      violate(answer.asked, "server_time at the Date of the answer", describeValue({ at, date }));
    }
  },
};
