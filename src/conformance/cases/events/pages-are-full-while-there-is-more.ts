import { allChanges, idsOf, pageSizeFor, readChanges } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectSame, violate } from "../../expect.ts";

export const pagesAreFullWhileThereIsMore: EventsCase = {
  id: "pages-are-full-while-there-is-more",
  level: "trellis",
  title: "While there is more a page has as many events as the limit allows",
  section: "Trellis decision, events service: events, has_more",
  async run(target) {
    const all = idsOf(await allChanges(target, 3));
    const size = pageSizeFor(all.length);
    const pages = await readChanges(target, size);
    await expectEach(pages.slice(0, -1), ({ events }) => {
      expectSame(EVENTS, "events on a page", events.length, size);
    });
    const [first] = pages;
    if (first?.has_more !== true) violate(EVENTS, "more after the first page", "none");
  },
};
