import { expectList } from "../../events/bodies.ts";
import { query } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectSame } from "../../expect.ts";

export const theFutureIsEmpty: EventsCase = {
  id: "the-future-is-empty",
  level: "trellis",
  title: "A moment in the future gives an empty list, and the present as where to go on",
  section: "Trellis decision, events service: events, a future since",
  async run(target) {
    const answer = await target.list(query(1, "2999-01-01T00:00:00Z"));
    const { events, has_more: hasMore, ...rest } = expectList(answer);
    expectSame(answer, "events", events, []);
    expectSame(answer, "has_more", hasMore, false);
    expectSame(answer, "next_updated_since", rest.next_updated_since, rest.server_time);
  },
};
