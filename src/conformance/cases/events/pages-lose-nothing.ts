import { allChanges, idsOf, pageSizeFor, readChanges } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const pagesLoseNothing: EventsCase = {
  id: "pages-lose-nothing",
  level: "trellis",
  title: "Following next_updated_since until has_more is false gives every event, each once",
  section: "Trellis decision, events service: events, where to go on",
  async run(target) {
    const all = idsOf(await allChanges(target, 3));
    const pages = await readChanges(target, pageSizeFor(all.length));
    expectSame(EVENTS, "ids of all pages", idsOf(pages).toSorted(), all.toSorted());
  },
};
