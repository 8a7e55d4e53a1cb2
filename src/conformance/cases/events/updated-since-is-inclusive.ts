import { parseDateTime } from "../../../contract/date-time.ts";
import { expectList } from "../../events/bodies.ts";
import { allChanges, BEGINNING, query } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectSame, violate } from "../../expect.ts";

export const updatedSinceIsInclusive: EventsCase = {
  id: "updated-since-is-inclusive",
  level: "trellis",
  title: "An event that changed at the very moment is listed, one that changed before it is not",
  section: "Trellis decision, events service: events, updated_since is inclusive",
  async run(target) {
    await allChanges(target, 2);
    const first = expectList(await target.list(query(1, BEGINNING)));
    const stamp = (parseDateTime(first.next_updated_since) ?? 0) - 1;
    const at = expectList(await target.list(query(1, new Date(stamp).toISOString())));
    expectSame(EVENTS, "the event of that moment", at.events, first.events);
    const after = expectList(await target.list(query(1, first.next_updated_since)));
    if (after.events[0]?.id === first.events[0]?.id) {
      violate(EVENTS, "the next event a millisecond later", "the same");
    }
  },
};
