import { expectList } from "../../events/bodies.ts";
import { BEGINNING, CLIENT_LIMIT, idsOf, query, readChanges } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { describeValue, violate } from "../../expect.ts";

export const deletionsAreLeftOut: EventsCase = {
  id: "deletions-are-left-out",
  level: "trellis",
  title: "Deleted events are not listed unless they are asked for, and never in a full list",
  section: "Trellis decision, events service: events, deletions",
  async run(target) {
    const listed = [
      ...(await readChanges(target, CLIENT_LIMIT)),
      expectList(await target.list(query(CLIENT_LIMIT, undefined, "&include_deleted=true"))),
    ];
    const deleted = listed.flatMap(({ events }) => events).find((event) => "deleted" in event);
    if (deleted !== undefined) violate(EVENTS, "no deletion", describeValue(deleted));
    const asked = await readChanges(target, CLIENT_LIMIT, BEGINNING, "&include_deleted=true");
    const gone = asked.flatMap(({ events }) => events).filter((event) => "deleted" in event);
    const ids = new Set(idsOf(listed));
    const back = gone.find(({ id }) => ids.has(id));
    if (back !== undefined) violate(EVENTS, "a deleted event nowhere else", describeValue(back.id));
  },
};
