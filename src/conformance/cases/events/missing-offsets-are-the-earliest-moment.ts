import { parseDateTime } from "../../../contract/date-time.ts";
import { expectList } from "../../events/bodies.ts";
import { allChanges, CLIENT_LIMIT, query } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

const HOUR_MS = 3_600_000;

export const missingOffsetsAreTheEarliestMoment: EventsCase = {
  id: "missing-offsets-are-the-earliest-moment",
  level: "trellis",
  title: "A moment without an offset is the earliest that it can be, UTC+14:00",
  section: "Trellis decision, events service: events, updated_since without an offset",
  async run(target) {
    const [last] = (await allChanges(target, 1)).slice(-1);
    const stamp = (parseDateTime(last?.next_updated_since ?? "") ?? 0) - 1;
    const local = (hours: number) =>
      new Date(stamp + hours * HOUR_MS).toISOString().replace("Z", "");
    const listed = expectList(await target.list(query(CLIENT_LIMIT, local(14))));
    expectSame(EVENTS, "number of events at UTC+14:00", listed.events.length, 1);
    const later = expectList(await target.list(query(CLIENT_LIMIT, local(15))));
    expectSame(EVENTS, "number of events an hour later", later.events.length, 0);
  },
};
