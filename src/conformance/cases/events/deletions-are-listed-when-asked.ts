import { INFO_TYPE } from "../../../contract/events/values.ts";
import { NotTestable } from "../../case.ts";
import { allChanges, BEGINNING, CLIENT_LIMIT, idsOf, readChanges } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectEach, expectSame, violate } from "../../expect.ts";

export const deletionsAreListedWhenAsked: EventsCase = {
  id: "deletions-are-listed-when-asked",
  level: "trellis",
  title:
    "With include_deleted=true a deletion is an event of the type info with its id and nothing else",
  section: "Trellis decision, events service: events, include_deleted",
  async run(target) {
    const pages = await readChanges(target, CLIENT_LIMIT, BEGINNING, "&include_deleted=true");
    const gone = pages.flatMap(({ events }) => events).filter((event) => "deleted" in event);
    if (gone.length === 0) {
      const known = await allChanges(target, 0);
      if (idsOf(known).length < idsOf(pages).length)
        violate(EVENTS, "deletions that say so", "others");
      throw new NotTestable("The account has no deleted event; delete one for the test");
    }
    await expectEach(gone, ({ id, created_at: _at, ...event }) => {
      const bare = { type: INFO_TYPE, subject_name: null, title: null, date: null, deleted: true };
      expectSame(EVENTS, `the deletion ${id}`, event, bare);
    });
  },
};
