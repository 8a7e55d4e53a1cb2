import { allChanges, idsOf, pageSizeFor, readChanges } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectSame } from "../../expect.ts";

export const pageSizeChangesNothing: EventsCase = {
  id: "page-size-changes-nothing",
  level: "trellis",
  title: "Changes come in the same order, whatever the size of the pages",
  section: "Trellis decision, events service: events, in the order of their changes",
  async run(target) {
    const all = idsOf(await allChanges(target, 3));
    const size = pageSizeFor(all.length);
    await expectEach([size, size + 1], async (limit) => {
      expectSame(EVENTS, `ids by ${limit}`, idsOf(await readChanges(target, limit)), all);
    });
  },
};
