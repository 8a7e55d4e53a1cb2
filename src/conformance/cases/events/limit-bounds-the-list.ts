import { expectAnyEvents } from "../../events/bodies.ts";
import { query, someEvents } from "../../events/list.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach, violate } from "../../expect.ts";

export const limitBoundsTheList: EventsCase = {
  id: "limit-bounds-the-list",
  level: "contract",
  title: "No more events come than the limit allows",
  section: "events contract, GET /api/events: limit",
  async run(target) {
    const { length } = await someEvents(target, 2);
    await expectEach([1, length - 1], async (limit) => {
      const answer = await target.list(query(limit));
      const { length: came } = expectAnyEvents(answer);
      if (came > limit) violate(answer.asked, `at most ${limit} events`, `${came}`);
    });
  },
};
