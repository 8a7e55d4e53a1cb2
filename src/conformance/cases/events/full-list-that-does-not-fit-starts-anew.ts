import { parseDateTime } from "../../../contract/date-time.ts";
import { expectList } from "../../events/bodies.ts";
import { query, someEvents } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const fullListThatDoesNotFitStartsAnew: EventsCase = {
  id: "full-list-that-does-not-fit-starts-anew",
  level: "trellis",
  title: "A full list that did not fit says so, and names the beginning as where to go on",
  section: "Trellis decision, events service: events, where to go on",
  async run(target) {
    await someEvents(target, 2);
    const answer = await target.list(query(1));
    const { has_more: hasMore, next_updated_since: next } = expectList(answer);
    expectSame(answer, "has_more", hasMore, true);
    expectSame(answer, "next_updated_since", parseDateTime(next), 0);
  },
};
