import { parseDateTime } from "../../../contract/date-time.ts";
import { NotTestable } from "../../case.ts";
import { expectList } from "../../events/bodies.ts";
import { CLIENT_LIMIT, query, someEvents } from "../../events/list.ts";
import { EVENTS, type EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const fullListThatFitsGoesOnAfterIt: EventsCase = {
  id: "full-list-that-fits-goes-on-after-it",
  level: "trellis",
  title: "A full list that fitted names the moment after which nothing has changed yet",
  section: "Trellis decision, events service: events, where to go on",
  async run(target) {
    const { length } = await someEvents(target);
    if (length >= CLIENT_LIMIT) throw new NotTestable("The account has more events than fit");
    const answer = await target.list(query(CLIENT_LIMIT));
    const { has_more: hasMore, next_updated_since: next } = expectList(answer);
    expectSame(answer, "has_more", hasMore, false);
    const { events } = expectList(await target.list(query(CLIENT_LIMIT, next)));
    expectSame(EVENTS, `events since ${next}`, events, []);
    const before = new Date((parseDateTime(next) ?? 0) - 1).toISOString();
    const last = expectList(await target.list(query(CLIENT_LIMIT, before)));
    expectSame(EVENTS, `number of events since ${before}`, last.events.length, 1);
  },
};
